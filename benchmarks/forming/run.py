#!/usr/bin/env python3
"""Cost of contact in forming: hemispherical stretching of a sheet, and block on block.

    python3 benchmarks/forming/run.py BUILD_DIR [--sizes 400,1800,7200] [--end 1]
        [--solvers auto,Newton] [--before PROGRAM] [--calculix FOLDER] [--shells]
    python3 benchmarks/forming/run.py BUILD_DIR --pair [--solvers ...] [--before PROGRAM]
        [--calculix FOLDER]
    python3 benchmarks/forming/run.py BUILD_DIR --guards --before PROGRAM

Prints Markdown: for each number of elements in the plane (two layers) the time of the run,
of its phases and the share of contact; growth from size to size; with --before the same by
another program, one run after the other; with --calculix the CPU time of Debian's ccx on
inputs that FOLDER/gen.py writes. --shells: the sheet in shells, one element for two of the
solids. --pair: a block pressed and dragged over another, at small
strain (as FOLDER/genblock.py has it for ccx) and at finite strain; forces on the top, phases.
--guards: Taylor's rods and walls, what must not become slower, by both programs in turn.
One core; times are user CPU where they are compared.
"""
import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.join(here, "..", "..")
MESHES = {400: (10, 15), 1800: (20, 35), 7200: (40, 70)}
CONTACT = ("delassus", "contact solver", "detection", "kinematics")


def children():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def execute(program, file, changes):
    """summary.json, history.csv by columns, CPU seconds."""
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", file, "--output", folder, "--quiet", "--overwrite"]
        for change in changes:
            command += ["--set", change]
        before = children()
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        cpu = children() - before
        if done.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        with open(os.path.join(folder, "summary.json")) as text:
            summary = json.load(text)
        with open(os.path.join(folder, "history.csv")) as text:
            rows = [line.strip().split(",") for line in text]
    return summary, dict(zip(rows[0], zip(*rows[1:]))), cpu


def contact_time(summary):
    return sum(summary["wall_time"].get(phase, 0.) for phase in CONTACT)


def solved_by(summary):
    by = summary["contact_solver"].get("steps_solved_by", {})
    return ", ".join(f"{k}: {v}" for k, v in by.items())


def run(program, size, solver, end, shells):
    n, m = MESHES[size]
    if shells:
        file = os.path.join(root, "parameter_files", "verification", "shell_stretching.prm")
        mesh = f"Body sheet/Mesh/Divisions={n},{m}"
    else:
        file = os.path.join(here, "stretching.prm")
        mesh = f"Body sheet/Mesh/Gmsh numbers=n={n},m={m}"
    summary, history, cpu = execute(
        program, file, [mesh, f"Time/End={end}", f"Contact solver/Solver={solver}"])
    return summary, cpu, 4e-3 * float(history["punch:force_z"][-1])


def ccx(work, job):
    before = children()
    done = subprocess.run(["ccx", "-i", job], cwd=work, capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    cpu = children() - before
    if "Job finished" not in done.stdout:
        print(f"\nccx did not finish: {done.stdout[-300:]}\n", file=sys.stderr)
    return cpu


def calculix(folder, size):
    n, m = MESHES[size]
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, os.path.join(folder, "gen.py"), "--n", str(n),
                        "--m", str(m), "--dtmax", "0.02",
                        "-o", os.path.join(work, "hemi.inp")],
                       check=True, cwd=work, capture_output=True)
        return ccx(work, "hemi")


def calculix_pair(folder):
    """CPU seconds, iterations, {time: force on the top}."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([sys.executable, os.path.join(folder, "genblock.py"),
                        "-o", os.path.join(work, "block.inp")],
                       check=True, cwd=work, capture_output=True)
        cpu = ccx(work, "block")
        forces, time = {}, None
        with open(os.path.join(work, "block.dat")) as text:
            for line in text:
                words = line.split()
                if "total force" in line:
                    time = float(words[-1])
                elif len(words) == 3 and time is not None:
                    forces[time] = [float(word) for word in words]
        iterations = 0
        with open(os.path.join(work, "block.sta")) as text:
            for line in text:
                words = line.split()
                if len(words) == 7 and words[0].isdigit():
                    iterations += int(words[3])
    return cpu, iterations, forces


def programs(options):
    """Names and executables: this one, and the one before if there is one."""
    this = [("this", os.path.join(options.build, "delassus"))]
    return this + ([("before", options.before)] if options.before else [])


def stretching(options):
    print("| elements x layers | program | solver | CPU s | contact | W s | loop s | "
          "finite elements s | iterations | peak GB | punch kN | solved by |")
    print("| --- |" + " --- |" * 11)
    times = {}
    for size in [int(value) for value in options.sizes.split(",")]:
        for name, executable in programs(options):
            for solver in options.solvers.split(","):
                summary, cpu, force = run(executable, size, solver, options.end,
                                          options.shells)
                time = summary["wall_time"]
                contact = contact_time(summary)
                W, loop = time.get("delassus", 0.), time.get("contact solver", 0.)
                layers = "shells" if options.shells else "2"
                print(f"| {size} x {layers} | {name} | {solver} | {cpu:.1f} | "
                      f"{100 * contact / time['total']:.0f} % | {W:.1f} | {loop:.1f} | "
                      f"{time['total'] - contact:.1f} | {summary['newton']['iterations']} | "
                      f"{summary['memory']['peak_bytes'] / 1e9:.2f} | {force:.2f} | "
                      f"{solved_by(summary)} |", flush=True)
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


def pair(options):
    print("| strain | program | solver | CPU s | contact | W s | loop s | iterations | "
          "contact iterations | peak GB | pressed kN | dragged kN | solved by |")
    print("| --- |" + " --- |" * 12)
    shares, forces = [], {}
    for strain, model in (("small", "linear elastic"), ("finite", "neo-Hookean")):
        for name, executable in programs(options):
            for solver in options.solvers.split(","):
                summary, history, cpu = execute(
                    executable, os.path.join(here, "block_pair.prm"),
                    [f"Material steel/Model={model}", f"Contact solver/Solver={solver}"])
                time = summary["wall_time"]
                total = time["total"]
                F = {float(t): (-float(x), float(z)) for t, x, z in
                     zip(history["time"], history["joint:force_x"], history["joint:force_z"])}
                forces.setdefault(strain, F)
                print(f"| {strain} | {name} | {solver} | {cpu:.1f} | "
                      f"{100 * contact_time(summary) / total:.0f} % | "
                      f"{time.get('delassus', 0.):.2f} | {time.get('contact solver', 0.):.2f} | "
                      f"{summary.get('newton', {}).get('iterations', '')} | "
                      f"{summary['contact_solver']['sweeps']} | "
                      f"{summary['memory']['peak_bytes'] / 1e9:.2f} | {F[1.][1] / 1e3:.2f} | "
                      f"{F[2.][0] / 1e3:.2f} | {solved_by(summary)} |", flush=True)
                parts = sorted(((v / total, k) for k, v in time.items() if k != "total"),
                               reverse=True)
                shares.append(f"{strain}, {name}, {solver}: " + ", ".join(
                    f"{k} {100 * v:.0f} %" for v, k in parts if v >= 0.01))
    theirs = {}
    if options.calculix:
        cpu, iterations, theirs = calculix_pair(options.calculix)
        pressed = f"{-theirs[1.][2] / 1e3:.2f}" if 1. in theirs else ""
        dragged = f"{theirs[2.][0] / 1e3:.2f}" if 2. in theirs else ""
        print(f"| small | CalculiX | | {cpu:.1f} | | | | {iterations} | | | {pressed} | "
              f"{dragged} | |")
    print("\nPhases:\n\n- " + "\n- ".join(shares))
    if theirs:
        print("\n| time | pressing kN | CalculiX | dragging kN | CalculiX |")
        print("| --- |" + " --- |" * 4)
        for time, (x, z) in forces["small"].items():
            if time in theirs:
                print(f"| {time:g} | {z / 1e3:.2f} | {-theirs[time][2] / 1e3:.2f} | "
                      f"{x / 1e3:.2f} | {theirs[time][0] / 1e3:.2f} |")


def guards(options):
    if not options.before:
        sys.exit("--guards compares with the program of --before")
    examples = os.path.join(root, "parameter_files")
    rod = os.path.join(examples, "taylor_bar.prm")
    small = ["Body rod/Mesh/Divisions=6,36", "Output/Interval=0", "Time/End=10e-6"]
    wall = ["Event rest/Actions=write", "Output/Interval=0"]
    cases = [
        ("rod, axisymmetric, full, 0.1 us", rod, small + ["Time/Step=0.1e-6"]),
        ("rod, axisymmetric, explicit, 0.02 us", rod,
         small + ["Time/Step=0.02e-6", "Newton/Matrix=explicit"]),
        ("wall, 144 blocks, 500 steps", os.path.join(examples, "wall_2d.prm"), wall),
        ("wall, 1440 blocks, 40 steps", os.path.join(examples, "wall_2d.prm"),
         wall + ["Body wall/Mesh/Courses=51", "Body wall/Mesh/Blocks per course=28",
                 "Time/End=0.04"]),
        ("wall, 144 blocks in 3D, 20 steps", os.path.join(examples, "wall_3d.prm"),
         wall + ["Time/End=0.02"]),
        ("rod, 3D, 50 193 dofs", os.path.join(here, "..", "taylor", "taylor_50k.prm"), [])]
    print("| case | this, CPU s | before | ratio of the shortest | median ratio |")
    print("| --- |" + " --- |" * 4)
    for title, file, changes in cases:
        times = {name: [] for name, _ in programs(options)}
        for _ in range(3):
            for name, executable in programs(options):
                times[name].append(execute(executable, file, changes)[2])
        this, before = times["this"], times["before"]
        median = statistics.median(a / b for a, b in zip(this, before))
        print(f"| {title} | {min(this):.2f} | {min(before):.2f} | "
              f"{min(this) / min(before):.3f} | {median:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--sizes", default="400,1800")
    parser.add_argument("--end", default="1")
    parser.add_argument("--solvers", default="auto")
    parser.add_argument("--before")
    parser.add_argument("--calculix")
    parser.add_argument("--shells", action="store_true")
    parser.add_argument("--pair", action="store_true")
    parser.add_argument("--guards", action="store_true")
    options = parser.parse_args()
    if options.pair:
        pair(options)
    if options.guards:
        guards(options)
    if not options.pair and not options.guards:
        stretching(options)


if __name__ == "__main__":
    main()
