"""The prepared situations by name."""

from __future__ import annotations

from ckpt_tui.demo.scenarios import situations
from ckpt_tui.demo.scenarios.stage import Scenario
from ckpt_tui.words import later

_ALL = (
    Scenario(
        "all-good",
        later("The job died: from where does it go on?"),
        later("Resume from step 12400; nothing needs a look."),
        situations.all_good,
    ),
    Scenario(
        "newest-broken",
        later("The job died: can the newest checkpoint be used?"),
        later("No: the file of rank 19 was cut. Resume from step 6750."),
        situations.newest_broken,
    ),
    Scenario(
        "pointer-dangling",
        later("The job does not start: DeepSpeed does not find what `latest` names."),
        later("Resume from step 4000, and pass its tag: `latest` names a step that is not there."),
        situations.pointer_dangling,
    ),
    Scenario(
        "save-in-flight",
        later("A node is to be drained: may it be drained now?"),
        later("Wait for the save of step 12500; a fault now goes back to step 12400."),
        situations.save_in_flight,
    ),
    Scenario(
        "save-stalled",
        later("The save takes long: is it slow, or does it hang?"),
        later("It hangs on ranks 11 and 37: look at their nodes. Until then step 12400 counts."),
        situations.save_stalled,
    ),
    Scenario(
        "weights-only",
        later("The job died: can the newest checkpoint be used?"),
        later("No: it holds weights without optimizer, as step 3000. Resume from step 2500."),
        situations.weights_only,
    ),
    Scenario(
        "nothing-resumable",
        later("The job died: what is lost?"),
        later(
            "Everything: no checkpoint can be resumed, a restart begins at step 0. Stop and repair."
        ),
        situations.nothing_resumable,
    ),
    Scenario(
        "world-size-changed",
        later("Half of the nodes are gone: can 8 ranks go on from what 16 wrote?"),
        later("Not as it is: convert step 4000 with ds_to_universal first, or wait for 16 ranks."),
        situations.world_size_changed,
    ),
    Scenario(
        "disk-nearly-full",
        later("Does anything need a look?"),
        later("Yes: make room now, there is none for a second save. Step 7000 is good."),
        situations.disk_nearly_full,
    ),
    Scenario(
        "two-runs-mixed",
        later("The job died: from where does it go on?"),
        later(
            "Say first which job is meant: step 12400 of the older one, step 300 of the younger."
        ),
        situations.two_runs_mixed,
    ),
)

SCENARIOS = {scenario.name: scenario for scenario in _ALL}
"""Name → scenario, in the order in which they are listed."""
