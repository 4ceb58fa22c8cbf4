"""Pictures of the verification cases against theory.

    python3 postprocess/verification_plots.py [RESULTS [IMAGES]]

RESULTS is where `delassus verify --all` left its runs (default
results/verification), IMAGES where the pictures go (default doc/images). A case
that has not been run is left out, with a message. Needs python3-matplotlib.
"""
import csv
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

BLUE, RED, GREEN, ORANGE, GREY = "#1f5fa8", "#c0392b", "#2e8b57", "#d98324", "#777777"

plt.rcParams.update({
    "figure.dpi": 110,
    "font.size": 10,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.4,
})


def table(*path):
    """Columns of a .csv file by name."""
    with open(os.path.join(RESULTS, *path), newline="") as file:
        rows = list(csv.reader(file))
    data = np.array([[float(x) for x in row] for row in rows[1:]])
    return {name: data[:, i] for i, name in enumerate(rows[0])}


def save(figure, name):
    figure.tight_layout()
    figure.savefig(os.path.join(IMAGES, "verification_%s.png" % name))
    plt.close(figure)


def slope_triangle(axes, x, y, order, text):
    """A straight line of an order in a plot with two logarithmic axes."""
    x = np.array(x)
    axes.plot(x, y * (x / x[0]) ** order, color=GREY, lw=0.9, ls="--", label=text)


def size_ticks(axes, sizes):
    """The sizes of the meshes as the only ticks of a logarithmic axis."""
    axes.set_xticks(sizes)
    axes.set_xticks([], minor=True)
    axes.set_xticklabels(["%g" % size for size in sizes])


def bar_wall():
    history = table("bar_wall", "pressure.csv")
    convergence = table("bar_wall", "convergence.csv")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8),
                                         gridspec_kw={"width_ratios": [1.6, 1]})
    end = 0.5 + 2 / 3
    left.plot([0.3, 0.5, 0.5, end, end, 1.4], [0, 0, 300, 300, 0, 0], color=GREY,
              lw=3, alpha=0.5, label="exact")
    left.plot(history["time"], history["pressure"], color=BLUE, label="400 cells")
    left.set(xlim=(0.35, 1.35), xlabel="time", ylabel="contact pressure",
             title="Elastic bar against a wall")
    left.legend(loc="lower center")
    right.loglog(convergence["h"], convergence["pressure"], "o-", color=BLUE,
                 label="L2 error of the pressure")
    right.loglog(convergence["h"], convergence["energy"], "s-", color=RED,
                 label="energy lost")
    ends = convergence["h"][[0, -1]]
    slope_triangle(right, ends, 0.8 * convergence["pressure"][0], 0.4, "order 2/5")
    slope_triangle(right, ends, 0.7 * convergence["energy"][0], 1, "order 1")
    right.set(xlabel="size of the cells", ylabel="relative", title="Convergence")
    size_ticks(right, convergence["h"])
    right.legend(fontsize=8)
    save(figure, "bar_wall")


def hertz(axes, case, divisions, title):
    x = np.linspace(0, 1, 400)
    axes.plot(x, np.sqrt(1 - x ** 2), color=GREY, lw=4, alpha=0.45, label="Hertz")
    axes.plot([1, 1.4], [0, 0], color=GREY, lw=4, alpha=0.45)
    for n, color, marker in zip(divisions, (ORANGE, GREEN, BLUE), ("s", "^", "o")):
        profile = table(case, "pressure_%d.csv" % n)
        axes.plot(profile["x/a"], profile["p/p0"], marker, ms=3.5, color=color,
                  label="h = a/%d" % n)
    axes.set(xlim=(0, 1.3), ylim=(0, 1.08), title=title,
             xlabel="distance from the centre / a", ylabel="p / p0")
    axes.legend()


def convergence_of(axes, case):
    data = table(case, "convergence.csv")
    for column, text, color, marker in (("p0", "p0", BLUE, "o"), ("a", "a", RED, "s"),
                                        ("L2", "pressure, L2", GREEN, "^")):
        axes.loglog(data["h/a"], data[column], marker + "-", color=color, label=text)
    slope_triangle(axes, data["h/a"][[0, -1]], 0.6 * data["L2"][0], 1, "order 1")
    axes.set(xlabel="h / a", ylabel="relative error", title="Convergence")
    size_ticks(axes, data["h/a"])
    axes.legend(fontsize=8)


def hertz_2d():
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.9))
    hertz(axes[0], "hertz_disk", (5, 10, 40), "Cylinder on a rigid plane")
    hertz(axes[1], "hertz_cylinder", (5, 10, 20), "Cylinder on a block (NAFEMS CGS-1)")
    convergence_of(axes[2], "hertz_disk")
    save(figure, "hertz_2d")


def hertz_3d():
    cases = [("hertz_sphere", (5, 10, 40), "Ball on a rigid plane, axisymmetric"),
             ("hertz_two_spheres", (5, 10, 20), "Two balls, axisymmetric")]
    if os.path.isdir(os.path.join(RESULTS, "hertz_sphere_3d")):
        cases.append(("hertz_sphere_3d", (5, 10, 14), "Ball on a rigid plane, 3D"))
    figure, axes = plt.subplots(1, len(cases) + 1, figsize=(4.3 * len(cases) + 4.3, 3.9))
    for place, (case, divisions, title) in zip(axes, cases):
        hertz(place, case, divisions, title)
    convergence_of(axes[-1], "hertz_sphere")
    save(figure, "hertz_3d")


def cattaneo():
    figure, axes = plt.subplots(figsize=(7, 4.3))
    x = np.linspace(-1, 1, 600)
    axes.plot(x, np.sqrt(1 - x ** 2), color="black", lw=0.8, ls=":",
              label="μ p, the limit of friction")
    for load, color in ((25, GREEN), (50, ORANGE), (75, BLUE)):
        profile = table("cattaneo", "tractions_%d.csv" % load)
        c = profile["c/a"][0]
        exact = np.sqrt(1 - x ** 2) - c * np.sqrt(np.maximum(0, 1 - (x / c) ** 2))
        axes.plot(x, exact, color=color, lw=3, alpha=0.35)
        axes.plot(profile["x/a"], profile["q/(mu p0)"], "o", ms=3, color=color,
                  label="Q/(μP) ≈ %.2f" % (load / 100))
    axes.set(xlim=(-1.25, 1.25), ylim=(0, 1.05), xlabel="x / a", ylabel="q / (μ p0)",
             title="Shear tractions: Cattaneo and Mindlin (lines), computed (points)")
    axes.legend(loc="upper right", fontsize=8)
    save(figure, "cattaneo")


def greco():
    profile = table("greco_quasi_static", "pressures.csv")
    reference = table("greco_quasi_static", "reference.csv")
    figure, axes = plt.subplots(figsize=(7.5, 4.3))
    x, status = profile["x"], profile["status"]
    for value, color, text in ((0, "#f3d9d5", "separation"), (2, "#fdf0d2", "slip"),
                               (1, "#dcebdd", "stick")):
        inside = x[status == value]
        if len(inside):
            half = 0.5 * (x[1] - x[0])
            axes.axvspan(inside.min() - half, inside.max() + half, color=color, lw=0)
            axes.text(0.5 * (inside.min() + inside.max()), 9.6, text, ha="center",
                      fontsize=9, rotation=0 if value else 90, va="top")
    axes.plot(x, profile["p_N"], color=BLUE, label="normal pressure")
    axes.plot(x, -profile["p_T"], color=RED, label="shear traction")
    axes.plot(reference["x"], reference["p_N"], "o", ms=5, mfc="white", color=BLUE)
    axes.plot(reference["x"], -reference["p_T"], "s", ms=5, mfc="white", color=RED,
              label="independent program")
    axes.set(xlim=(0, 40), ylim=(0, 10), xlabel="x (mm)", ylabel="daN/mm²",
             title="Block on a rough foundation, μ = 1")
    axes.legend(loc="upper left", bbox_to_anchor=(0.12, 0.9))
    save(figure, "greco")


def friction_oscillator():
    motion = table("friction_oscillator", "motion.csv")
    figure, axes = plt.subplots(figsize=(7, 3.6))
    axes.plot(motion["time"], motion["x"], color=BLUE, label="computed")
    k = np.arange(6)
    turning = (-1.0) ** k * (0.1 - 2 * k * 0.00981)
    first = motion["time"][np.argmax(motion["x"])]
    axes.plot(first + k * np.pi / 10, turning, "o", color=RED, label="turning points")
    times = np.array([0, first + 5 * np.pi / 10])
    for sign in (1, -1):
        axes.plot(times, sign * (0.1 - 0.0981 * (times - first) / (np.pi / 2)), "--",
                  color=GREY, lw=0.8)
    axes.axhspan(-0.00981, 0.00981, color="#dcebdd", lw=0, label="can stick here")
    axes.set(xlabel="time", ylabel="x", title="Oscillator with dry friction")
    axes.legend(loc="upper right", fontsize=8)
    save(figure, "friction_oscillator")


def capstan():
    figure, axes = plt.subplots(figsize=(7, 4.0))
    for name, mu, color in (("tension_144", 0.144, BLUE), ("tension_100", 0.1, GREEN)):
        data = table("capstan", name + ".csv")
        angle = np.linspace(0, 90, 100)
        axes.plot(angle, np.exp(mu * np.radians(angle)), color=color, lw=4, alpha=0.35)
        axes.plot(data["angle"], data["tension"], "o", ms=3, color=color,
                  label="μ = %g" % mu)
    axes.set(xlabel="angle from the slack end (degrees)", ylabel="tension / T1",
             title="Strip over a cylinder: e^(μφ) (lines), computed (points)")
    axes.legend()
    save(figure, "capstan")


def necking():
    curve = table("necking", "curve.csv")
    reference = table("necking", "reference.csv")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8))
    for axes, column, text in ((left, "F", "force, kN"), (right, "R", "radius, mm")):
        axes.plot(curve["u"], curve[column], color=BLUE, label="computed, 10 x 40")
        axes.plot(reference["u"], reference[column], "o", color=RED, ms=4,
                  label="reference")
        axes.set(xlabel="elongation of the half, mm", ylabel=text)
    left.set(title="Necking bar: force", ylim=(0, None))
    right.set(title="radius of the neck", ylim=(0, None))
    right.plot(7, 2.376, "o", color=RED, ms=4)
    left.legend(loc="lower left")
    save(figure, "necking")


def taylor():
    history = table("taylor", "history.csv")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8))
    left.plot(history["t"], history["L"], color=BLUE, label="computed, 5 x 50")
    left.plot([20, 40, 60, 75, 80], [28.052, 24.560, 22.212, 21.454, 21.438], "o",
              color=RED, ms=4, label="reference")
    left.axhspan(21.41, 21.66, color="#fdf0d2", lw=0, label="literature, at the end")
    right.plot(history["t"], history["R"], color=BLUE)
    right.plot([20, 40, 60, 80], [6.081, 7.032, 7.123, 7.121], "o", color=RED, ms=4)
    right.axhspan(7.02, 7.25, color="#fdf0d2", lw=0)
    left.set(title="Taylor's test: length", xlabel="time, µs", ylabel="length, mm")
    right.set(title="radius of the foot", xlabel="time, µs", ylabel="radius, mm")
    left.legend()
    save(figure, "taylor")


def ironing():
    forces = table("ironing", "forces.csv")
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.8))
    left.plot(forces["t"], forces["N averaged"] / 1e6, color=BLUE, label="normal")
    left.plot(forces["t"], forces["T averaged"] / 1e6, color=RED, label="tangential")
    left.set(title="Shallow ironing: averaged normals", xlabel="time (slides from 1)",
             ylabel="force / 10⁶")
    left.legend(loc="upper left")
    sliding = forces["t"] > 1.1
    for name, color in (("face", ORANGE), ("mortar", GREEN), ("averaged", BLUE)):
        right.plot(forces["t"][sliding], forces["T " + name][sliding] / 1e6,
                   color=color, label=name)
    right.set(title="tangential force while it slides", xlabel="time")
    right.legend(loc="lower left")
    save(figure, "ironing")


def main():
    global RESULTS, IMAGES
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    RESULTS = sys.argv[1] if len(sys.argv) > 1 else "results/verification"
    IMAGES = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "doc", "images")
    if not os.path.isdir(RESULTS):
        sys.exit("verification_plots.py: error: there is no directory '%s'; run "
                 "'delassus verify --all' first." % RESULTS)
    os.makedirs(IMAGES, exist_ok=True)
    for plot in (bar_wall, friction_oscillator, hertz_2d, hertz_3d, cattaneo, greco,
                 capstan, necking, taylor, ironing):
        try:
            plot()
        except FileNotFoundError as error:
            print("%s: left out, %s is missing" % (plot.__name__, error.filename))


if __name__ == "__main__":
    main()
