"""Layout and colours of the panel; theme variables only."""

from __future__ import annotations

BARS_WIDTH = 46
"""Cells of the bars where they stand beside the curve; the style sheet says the same."""

PANEL_CSS = """
#planner {
    width: 1fr;
    height: 1fr;
    background: $background;
}
PlannerBoard > TextLines { height: auto; width: 100%; }
#planner-body { height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
PlannerBody > TextLines { height: auto; width: 100%; }

#planner-form {
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

#planner-picture, #planner-plots { layout: vertical; height: auto; width: 100%; }
#planner-picture TextLines { height: auto; width: 100%; }
.-bars-beside #planner-plots { layout: horizontal; }
.-bars-beside #planner-curve { width: 1fr; }
.-bars-beside #planner-bars { width: 46; }
.-curve-beside #planner-picture { layout: horizontal; }
.-curve-beside #planner-table { width: 3fr; }
.-curve-beside #planner-plots { width: 2fr; }
.-curve-beside #planner-bars { display: none; }
"""
