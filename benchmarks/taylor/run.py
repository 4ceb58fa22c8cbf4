#!/usr/bin/env python3
"""Cost of Taylor's impact test: what a step takes by matrix, the share of contact, ranks.

    python3 benchmarks/taylor/run.py BUILD_DIR [--ranks]

Prints Markdown. Times are medians of three runs one after another on one core each, without
reading, meshing and result files; ratios are of runs beside each other. --ranks adds the
3D rod with about 50 000 dofs on one and two ranks (minutes).
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
axisymmetric = os.path.join(here, "..", "..", "parameter_files", "taylor_bar.prm")
solid = os.path.join(here, "taylor_50k.prm")
program = os.path.join(sys.argv[1], "delassus")
contact_phases = ("detection", "kinematics", "delassus", "contact solver")


def run(file, changes, ranks=1):
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", file, "--output", folder, "--quiet"]
        if ranks > 1:
            command += ["--ranks", str(ranks)]
        for change in changes:
            command += ["--set", change]
        subprocess.run(command, check=True, env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(os.path.join(folder, "summary.json")) as text:
            return json.load(text)


def step(summary):
    """Milliseconds a step, files left out."""
    time = summary["wall_time"]
    return 1e3 * (time["total"] - time.get("output", 0.)) / summary["steps"]


def contact_share(summary):
    time = summary["wall_time"]
    return sum(time.get(phase, 0.) for phase in contact_phases) / time["total"]


def table():
    # The mesh of LMGC90's 518 dofs: 6 x 37 nodes, free ones counted.
    base = ["Body rod/Mesh/Divisions=6,36", "Output/Interval=0", "Time/End=10e-6"]
    print("| Matrix | step | ms a step | of full | iterations a step | contact |")
    print("| --- | --- | --- | --- | --- | --- |")
    cases = [("full", 0.1e-6), ("full", 0.02e-6), ("step", 0.02e-6), ("frozen", 0.02e-6),
             ("lumped", 0.02e-6), ("two term", 0.02e-6), ("explicit", 0.02e-6)]
    results = {case: [] for case in cases}
    for _ in range(3):
        for matrix, h in cases:
            changes = base + [f"Time/Step={h}", f"Newton/Matrix={matrix}"]
            if matrix in ("lumped", "two term"):
                changes.append("Newton/Maximum iterations=100")
            results[matrix, h].append(run(axisymmetric, changes))
    full = statistics.median(step(s) for s in results["full", 0.02e-6])
    for (matrix, h), summaries in results.items():
        time = statistics.median(step(s) for s in summaries)
        summary = summaries[0]
        newton = summary.get("newton", {})
        iterations = newton.get("iterations", 0) / summary["steps"]
        print(f"| {matrix} | {1e6 * h:g} us | {time:.3g} | {time / full:.3f} | "
              f"{iterations:.1f} | {100. * contact_share(summary):.1f} % |")


def ranks():
    print("| ranks | s | contact | factors |")
    print("| --- | --- | --- | --- |")
    one = None
    for n in (1, 2):
        summary = run(solid, [], n)
        time = summary["wall_time"]
        total = time["total"] - time.get("output", 0.)
        one = one or total
        print(f"| {n} | {total:.1f} ({one / total:.2f}x) | "
              f"{100. * contact_share(summary):.1f} % | "
              f"{100. * time['factor and compliance'] / time['total']:.0f} % |")


table()
if "--ranks" in sys.argv[2:]:
    print()
    ranks()
