"""The parts of the reproduction of the Gavia notes, in their order."""

from pelagos_evidence.document import Part
from pelagos_evidence.gavia import bottom, model, open_loop, plots, sonar

PARTS = (
    Part(
        "model", "Dynamic model",
        "Each printed matrix is transcribed and held against the engine at random states: the whole of "
        "x_dot = A x + B tau, the mass matrix M, the restoring matrix G and the input matrix K with the forces of "
        "propeller and fins. Where two printed rows contradict each other the row says which one is kept.",
        model.run,
    ),
    Part(
        "open-loop", "The example of figure 3",
        "The example program runs 50 000 steps of 0.1 s at 200 rpm with the fins at zero. Here it is run twice: as "
        "the notes' linear system, and with the equations of motion of our [Gavia](vehicle-files.md), whose "
        "inertia and added mass are those of a body. A roll of 1e-9 rad tells the two apart.",
        open_loop.run,
    ),
    Part(
        "bottom", "A bottom drawn by hand",
        "A white picture with a black line becomes the bottom of the test bench. We draw one of the same size, "
        "read it back and write the file; see [seabed](seabed.md).",
        bottom.run,
    ),
    Part(
        "sonar", "Navigation sonar",
        "Four beams look ahead of the nose for the nearest intersection with the bottom. The sensor is held "
        "against closed forms and, at every step of the example of figure 6, against crossings computed piece by "
        "piece; see [sonar](sonar.md).",
        sonar.run,
    ),
    Part(
        "plotter", "Plotter",
        "Three ways to draw a table with a column x_pos; see [plotter](plotter.md). The data are those of a Gavia "
        "that follows the drawn bottom, stretched to slopes it can fly.",
        plots.run,
    ),
)  # fmt: skip
