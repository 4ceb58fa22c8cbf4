#!/usr/bin/env python3
"""Our contact solvers and those of Siconos on the same problems, in one run.

    python3 benchmarks/contact_solvers/run.py BUILD_DIR RESULTS_DIR PROBLEM...

PROBLEM: files or directories of FCLIB .hdf5 and Siconos .dat files. The sheet
between tools is generated. Every solver gets its own process, one core and a
limit of CPU time; problem by problem, so that all have the same weather. Writes
results.json, results.md and the profiles as .png into RESULTS_DIR.
"""
import datetime
import json
import os
import resource
import subprocess
import sys

LIMIT = 4  # seconds of CPU
TOLERANCES = (1e-4, 1e-8)
OURS = ["auto", "Gauss-Seidel", "Gauss-Seidel 0.7", "Gauss-Seidel accelerated",
        "projected gradient", "ADMM", "Newton", "global ADMM", "global Newton"]
SICONOS = {3: ["NSGS", "NSGS projection", "NSGS local iteration",
               "NSGS Newton GP", "NSGS 0.7", "proximal", "Newton AC",
               "Newton AC hybrid", "extra-gradient", "fixed point", "ADMM"],
           2: ["NSGS", "CPG", "Lemke"]}
SHEETS = [(22, "1x"), (44, "4x"), (88, "16x")]
INERTIAS = [(1e-6, "nearly quasi-static"), (1e-3, "medium"), (1., "high")]


def call(command, seconds=LIMIT):
    """The line of numbers, or None."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 2, seconds + 3))
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1",
                       OMP_NUM_THREADS="1")
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              errors="replace", preexec_fn=limit,
                              env=environment, timeout=6 * seconds)
    except subprocess.TimeoutExpired:
        return None
    for line in reversed(done.stdout.splitlines()):
        if line.startswith("{"):
            values = json.loads(line)
            if done.stderr.strip():
                values["said"] = done.stderr.strip().splitlines()[-1]
            return values
    return None


def dimension(file):
    if file.endswith(".dat"):
        with open(file) as stream:
            return int(stream.read(20).split()[0])
    import h5py
    with h5py.File(file) as stream:
        group = stream["fclib_local" if "fclib_local" in stream
                       else "fclib_global"]
        return int(group["spacedim"][0])


def is_global(file):
    if file.endswith(".hdf5"):
        import h5py
        with h5py.File(file) as stream:
            return "fclib_global" in stream
    name = os.path.basename(file)
    return name.startswith(("GFC3D", "gfc2d")) and "condensed" not in name


def run_problem(build, file, name):
    ours = os.path.join(build, "benchmarks", "benchmark_contact_solvers")
    siconos = os.path.join(build, "benchmarks", "benchmark_siconos")
    rows, numbers = [], os.path.join(build, "benchmark_rows")
    if os.path.exists(siconos):
        subprocess.run([ours, "--rows", file, numbers], check=True)
    for tolerance in TOLERANCES:
        for solver in OURS:
            if solver.startswith("global") and not is_global(file):
                continue
            values = call([ours, file, solver, str(tolerance), str(LIMIT),
                           "siconos"])
            rows.append(("ours", solver, tolerance, values))
        if os.path.exists(siconos):
            for solver in SICONOS[dimension(file)]:
                values = call([siconos, numbers, solver, str(tolerance)])
                rows.append(("Siconos", solver, tolerance, values))
    result = []
    for who, solver, tolerance, values in rows:
        good = values is not None and values["siconos"] <= 1.001 * tolerance
        result.append({"problem": name, "who": who, "solver": solver,
                       "tolerance": tolerance, "solved": good,
                       **(values or {})})
        print("%-48s %-8s %-26s %.0e %s" % (
            name[:48], who, solver, tolerance,
            "%.3f ms, %d" % (1e3 * values["seconds"], values["iterations"])
            if good else "-"), flush=True)
    return result


def run_sheets(build, directory):
    ours = os.path.join(build, "benchmarks", "benchmark_contact_solvers")
    result = []
    for inertia, word in INERTIAS:
        for cells, size in SHEETS:
            file = os.path.join(directory, "sheet_%s_%g.hdf5" % (size, inertia))
            subprocess.run([ours, "--sheet", str(cells), str(inertia), file],
                           check=True)
            for solver in ["auto", "global ADMM"]:
                values = call([ours, file, solver, "1e-8", "600", "unit free"],
                              600)
                result.append({"sheet": size, "inertia": word,
                               "solver": solver, **(values or {})})
                print(result[-1], flush=True)
            os.remove(file)
    return result


def best(rows, who, problem, tolerance):
    times = [(row["seconds"], row["solver"]) for row in rows
             if row["who"] == who and row["problem"] == problem and
             row["tolerance"] == tolerance and row["solved"]]
    return min(times) if times else None


def markdown(data):
    rows, lines = data["problems"], []
    lines.append("Made on %s: %s." % (data["date"], "; ".join(data["versions"])))
    for tolerance in TOLERANCES:
        lines += ["", "Error %.0e in Siconos' measure, times in ms." % tolerance,
                  "", "| problem | contacts | auto | iterations | by | "
                  "best of Siconos | its solver | auto / best |",
                  "| --- | --- | --- | --- | --- | --- | --- | --- |"]
        n_counted = n_half = n_lost = 0
        for problem in sorted({row["problem"] for row in rows}):
            auto = next((row for row in rows if row["problem"] == problem and
                         row["solver"] == "auto" and
                         row["tolerance"] == tolerance), None)
            other = best(rows, "Siconos", problem, tolerance)
            mine = auto["seconds"] if auto and auto["solved"] else None
            ratio = mine / other[0] if mine and other else None
            if other and other[0] > 5e-3:
                n_counted += 1
                n_half += bool(ratio and ratio <= 0.5)
            n_lost += bool(other and not mine)
            lines.append("| %s | %s | %s | %s | %s | %s | %s | %s |" % (
                problem, auto.get("contacts", "") if auto else "",
                "%.3g" % (1e3 * mine) if mine else "not solved",
                auto.get("iterations", "") if auto else "",
                auto.get("said", "") if auto and mine else "",
                "%.3g" % (1e3 * other[0]) if other else "none",
                other[1] if other else "",
                "%.2f" % ratio if ratio else ""))
        lines += ["", "Where Siconos needs more than 5 ms: at most half of its "
                  "best time in %d of %d. Solved by Siconos but not by auto: "
                  "%d." % (n_half, n_counted, n_lost)]
        names = sorted({(row["who"], row["solver"]) for row in rows})
        lines += ["", "| solver | problems solved |", "| --- | --- |"]
        for who, solver in names:
            tried = [row for row in rows if row["who"] == who and
                     row["solver"] == solver and row["tolerance"] == tolerance]
            lines.append("| %s: %s | %d of %d |" % (
                who, solver, sum(row["solved"] for row in tried), len(tried)))
    if data["sheets"]:
        lines += ["", "The sheet between tools, unit-free error 1e-8:", "",
                  "| inertia | size | contacts | solver | iterations | s | "
                  "error |", "| --- | --- | --- | --- | --- | --- | --- |"]
        for row in data["sheets"]:
            lines.append("| %s | %s | %s | %s | %s | %s | %s |" % (
                row["inertia"], row["sheet"], row.get("contacts", ""),
                row["solver"], row.get("iterations", ""),
                "%.3g" % row["seconds"] if "seconds" in row else "",
                "%.1e" % row["unit_free"] if "unit_free" in row else
                "not solved"))
    return "\n".join(lines) + "\n"


def profiles(data, directory):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    rows = data["problems"]
    for tolerance in TOLERANCES:
        here = [row for row in rows if row["tolerance"] == tolerance]
        problems = sorted({row["problem"] for row in here if row["solved"]})
        fastest = {p: min(row["seconds"] for row in here
                          if row["problem"] == p and row["solved"])
                   for p in problems}
        figure, axes = plt.subplots(figsize=(9.5, 5))
        colours = plt.get_cmap("tab20").colors
        for who, style in (("ours", "-"), ("Siconos", "--")):
            for number, solver in enumerate(sorted(
                    {row["solver"] for row in here if row["who"] == who})):
                tried = sum(row["problem"] in fastest for row in here
                            if row["who"] == who and row["solver"] == solver)
                ratios = sorted(row["seconds"] / fastest[row["problem"]]
                                for row in here
                                if row["who"] == who and row["solved"] and
                                row["solver"] == solver)
                if not ratios:
                    continue
                x, y = [1.], [0.]
                for i, ratio in enumerate(ratios):
                    x += [ratio, ratio]
                    y += [i / tried, (i + 1) / tried]
                x.append(1e4)
                y.append(len(ratios) / tried)
                axes.plot(x, y, style, label="%s: %s" % (who, solver),
                          color="black" if solver == "auto" else
                          colours[2 * (number % 10) + (who != "ours")],
                          linewidth=2.5 if solver == "auto" else 1.2)
        axes.set_xscale("log")
        axes.set_xlim(1., 1e4)
        axes.set_ylim(0., 1.02)
        axes.set_xlabel("time / time of the fastest solver")
        axes.set_ylabel("part of its problems solved to %.0e" % tolerance)
        axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.01, 0.5))
        axes.grid(alpha=0.3)
        figure.tight_layout()
        figure.savefig(os.path.join(directory,
                                    "profile_%.0e.png" % tolerance), dpi=110)


def versions():
    found = []
    for package in ("libsiconos-numerics7", "libsuitesparse-dev",
                    "libopenblas0-pthread"):
        shown = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package],
                               capture_output=True, text=True)
        if shown.returncode == 0 and shown.stdout:
            found.append("%s %s" % (package, shown.stdout))
    return found


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, directory, given = sys.argv[1], sys.argv[2], sys.argv[3:]
    os.makedirs(directory, exist_ok=True)
    files = []
    for place in given:
        if os.path.isdir(place):
            files += sorted(os.path.join(place, name)
                            for name in os.listdir(place)
                            if name.endswith((".dat", ".hdf5")))
        else:
            files.append(place)
    data = {"date": datetime.date.today().isoformat(), "versions": versions(),
            "problems": [], "sheets": []}
    for file in files:
        data["problems"] += run_problem(build, file, os.path.basename(file))
    data["sheets"] = run_sheets(build, directory)
    with open(os.path.join(directory, "results.json"), "w") as stream:
        json.dump(data, stream, indent=1)
    with open(os.path.join(directory, "results.md"), "w") as stream:
        stream.write(markdown(data))
    if data["problems"]:
        profiles(data, directory)


if __name__ == "__main__":
    main()
