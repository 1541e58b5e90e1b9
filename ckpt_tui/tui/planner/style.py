"""Layout and colours of the panel; theme variables only."""

from __future__ import annotations

PANEL_CSS = """
PlannerPanel {
    width: 1fr;
    height: 1fr;
    background: $background;
}
PlannerPanel #planner-heading, PlannerPanel #planner-answer { height: auto; width: 100%; }
PlannerBody { height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
PlannerBody #planner-source, PlannerBody #planner-remarks { height: auto; width: 100%; }

PlannerForm {
    layout: grid;
    grid-size-columns: 2;
    grid-rows: 1;
    height: auto;
    padding: 0 0 0 1;
}
PlannerForm FieldRow { height: 1; }
PlannerForm .span-2 { column-span: 2; }
PlannerForm.-one-column .span-2 { column-span: 1; }
PlannerForm FieldRow > FieldLabel { width: 11; height: 1; }
PlannerForm FieldRow:focus-within > FieldLabel { text-style: bold; }
PlannerForm FieldRow > FieldNote { width: 14; height: 1; margin-left: 1; }
FieldNote.-dim { color: $foreground 65%; }
FieldNote.-fair { color: $text-success; }
FieldNote.-warn { color: $text-warning; }
FieldNote.-bad { color: $text-error; text-style: bold; }
PlannerForm ModeChooser { width: 1fr; height: 1; }
PlannerForm ModeField > FieldNote { display: none; }
PlannerForm Input, PlannerForm Input:focus {
    width: 1fr;
    height: 1;
    padding: 0;
    border: none;
    border-left: outer $border-blurred;
}
PlannerForm Input:focus { border-left: outer $border; }
PlannerForm .-warned Input, PlannerForm .-warned Input:focus { border-left: outer $warning; }
PlannerForm .-bad Input, PlannerForm .-bad Input:focus {
    border-left: outer $error;
    color: $text-error;
}
PlannerForm .-ascii Input, PlannerForm .-ascii Input:focus { border-left: ascii $border; }
PlannerForm .-ascii.-bad Input, PlannerForm .-ascii.-bad Input:focus {
    border-left: ascii $error;
}
PlannerForm Button { width: auto; height: 1; min-width: 0; }

#planner-picture { layout: vertical; height: auto; width: 100%; }
#planner-picture > TextLines { height: auto; width: 100%; }
PlannerPanel.-curve-beside #planner-picture { layout: horizontal; }
PlannerPanel.-curve-beside #planner-picture > TextLines { width: 1fr; }
"""
