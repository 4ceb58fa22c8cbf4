#!/usr/bin/env python3
"""Cost of contact in forming: hemispherical stretching of a sheet in solids.

    python3 benchmarks/forming/run.py BUILD_DIR [--sizes 400,1800,7200] [--end 1]
        [--solvers auto,Newton] [--before PROGRAM] [--calculix FOLDER]

Prints Markdown: for each number of elements in the plane (two layers) the time of the run,
of its phases and the share of contact; growth from size to size; with --before the same by
another program, one run after the other; with --calculix the CPU time of Debian's ccx on
inputs that FOLDER/gen.py writes. One core; times are user CPU where they are compared.
"""
import argparse
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
MESHES = {400: (10, 15), 1800: (20, 35), 7200: (40, 70)}
CONTACT = ("delassus", "contact solver", "detection", "kinematics")


def children():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def run(program, size, solver, end):
    n, m = MESHES[size]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", os.path.join(here, "stretching.prm"),
                   "--output", folder, "--quiet", "--overwrite",
                   "--set", f"Body sheet/Mesh/Gmsh numbers=n={n},m={m}",
                   "--set", f"Time/End={end}",
                   "--set", f"Contact solver/Solver={solver}"]
        before = children()
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        cpu = children() - before
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        with open(os.path.join(folder, "summary.json")) as text:
            summary = json.load(text)
        with open(os.path.join(folder, "history.csv")) as text:
            rows = [line.strip().split(",") for line in text]
    column = rows[0].index("punch:force_z")
    return summary, cpu, 4e-3 * float(rows[-1][column])


def calculix(folder, size):
    n, m = MESHES[size]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, os.path.join(folder, "gen.py"), "--n", str(n),
                        "--m", str(m), "--dtmax", "0.02",
                        "-o", os.path.join(work, "hemi.inp")],
                       check=True, cwd=work, capture_output=True)
        before = children()
        subprocess.run(["ccx", "-i", "hemi"], cwd=work, capture_output=True,
                       env=dict(os.environ, OMP_NUM_THREADS="1"))
        return children() - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--sizes", default="400,1800")
    parser.add_argument("--end", default="1")
    parser.add_argument("--solvers", default="auto")
    parser.add_argument("--before")
    parser.add_argument("--calculix")
    options = parser.parse_args()
    program = os.path.join(options.build, "delassus")
    print("| elements x layers | program | solver | CPU s | contact | W s | loop s | "
          "finite elements s | iterations | peak GB | punch kN | solved by |")
    print("| --- |" + " --- |" * 11)
    times = {}
    for size in [int(value) for value in options.sizes.split(",")]:
        for name, executable in (("this", program), ("before", options.before)):
            if executable is None:
                continue
            for solver in options.solvers.split(","):
                summary, cpu, force = run(executable, size, solver, options.end)
                time = summary["wall_time"]
                contact = sum(time.get(phase, 0.) for phase in CONTACT)
                W, loop = time.get("delassus", 0.), time.get("contact solver", 0.)
                by = summary["contact_solver"].get("steps_solved_by", {})
                print(f"| {size} x 2 | {name} | {solver} | {cpu:.1f} | "
                      f"{100 * contact / time['total']:.0f} % | {W:.1f} | {loop:.1f} | "
                      f"{time['total'] - contact:.1f} | {summary['newton']['iterations']} | "
                      f"{summary['memory']['peak_bytes'] / 1e9:.2f} | {force:.2f} | "
                      + ", ".join(f"{k}: {v}" for k, v in by.items()) + " |", flush=True)
                times[name, solver, size] = cpu
        if options.calculix:
            times["ccx", "", size] = calculix(options.calculix, size)
            print(f"| {size} | CalculiX | | {times['ccx', '', size]:.1f} |" + " |" * 8,
                  flush=True)
    # Unknowns: about 3 nodes through the thickness.
    for (name, solver, size), cpu in times.items():
        smaller = [s for (n, v, s) in times if (n, v) == (name, solver) and s < size]
        if smaller:
            s = max(smaller)
            growth = math.log(cpu / times[name, solver, s]) / math.log(size / s)
            print(f"\n{name} {solver}: {s} -> {size}: time grows as size^{growth:.2f}")


if __name__ == "__main__":
    main()
