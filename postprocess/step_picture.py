"""The picture of one time step in doc/method.md.

    python3 postprocess/step_picture.py [FILE]

FILE ends in .svg or .png (default doc/images/step.svg). Needs python3-matplotlib.
"""
import os
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

INK, GREY = "#22303c", "#6b7782"
BODY, BODY_FILL, BODY_LANE = "#1f5fa8", "#ffffff", "#e8f0f9"
CONTACT, CONTACT_FILL, CONTACT_LANE = "#b5532a", "#ffffff", "#fbeee6"
LOOP, STEP = "#5b6b7a", "#9aa6b1"

plt.rcParams.update({
    "font.family": "DejaVu Sans",
    "mathtext.fontset": "stix",
    "svg.fonttype": "path",
    "svg.hashsalt": "delassus",
})

WIDTH, HEIGHT = 15.2, 8.5
figure = plt.figure(figsize=(WIDTH, HEIGHT))
axes = figure.add_axes([0, 0, 1, 1])
axes.set_xlim(0, WIDTH)
axes.set_ylim(0, HEIGHT)
axes.axis("off")


def frame(x, y, width, height, edge, fill="none", line=1.4, rounding=0.18, style="-",
          order=1):
    axes.add_patch(FancyBboxPatch(
        (x, y), width, height, boxstyle="round,pad=0,rounding_size=%g" % rounding,
        linewidth=line, edgecolor=edge, facecolor=fill, linestyle=style, zorder=order))


def write(x, y, text, size=11, color=INK, weight="normal", across="center", up="center",
          **more):
    axes.text(x, y, text, fontsize=size, color=color, fontweight=weight, ha=across,
              va=up, zorder=5, **more)


def box(x, y, width, height, title, lines, edge, fill):
    """A station of the step: its title and its equations."""
    frame(x, y, width, height, edge, fill, 1.5, 0.12, order=3)
    write(x + width / 2, y + height - 0.27, title, 10.5, edge, "bold")
    room = height - 0.52
    for i, line in enumerate(lines):
        write(x + width / 2, y + room * (1 - (i + 0.5) / len(lines)) + 0.06, line,
              13 if line.startswith("$") else 11)


def arrow(start, end, color=INK, curve=0.0, line=1.9, style="-|>"):
    axes.add_patch(FancyArrowPatch(
        start, end, arrowstyle=style, mutation_scale=17, linewidth=line, color=color,
        connectionstyle="arc3,rad=%g" % curve, shrinkA=0, shrinkB=0, zorder=4))


def polyline(points, color, line=1.9):
    """A path of straight lines that ends in an arrow."""
    axes.plot([p[0] for p in points[:-1]], [p[1] for p in points[:-1]], color=color,
              lw=line, solid_capstyle="round", solid_joinstyle="round", zorder=4)
    arrow(points[-2], points[-1], color, line=line)


# Frames: the time step, in it the Newton-Raphson loop, in it the two lanes.
frame(1.75, 0.35, 11.7, 7.85, STEP, "#fbfcfd", 1.6, 0.25)
write(2.1, 7.86, "time step", 13, GREY, "bold", "left")
write(3.35, 7.86, r"$t \,\to\, t+h$", 14, GREY, across="left")
frame(2.1, 1.15, 11.0, 6.35, LOOP, "#ffffff", 1.6, 0.25)
write(2.4, 7.13, "Newton–Raphson", 13, LOOP, "bold", "left")
write(4.42, 7.13, r"$k = 0, 1, \ldots$", 14, LOOP, across="left")
frame(2.4, 4.15, 10.4, 2.65, "none", BODY_LANE, 0, 0.15, order=2)
frame(2.4, 1.4, 10.4, 2.25, "none", CONTACT_LANE, 0, 0.15, order=2)
write(7.45, 6.22, r"bodies:  coordinates $q$, velocities $v$", 10.5, BODY)
write(2.65, 1.65, r"contacts:  relative velocities $U$, impulses $P=hR$", 10.5, CONTACT,
      across="left")

# Stations on the bodies.
box(2.65, 4.4, 2.65, 1.55, "forces and tangent",
    [r"$F(q_k,v_k),\ K,\ V$", r"$w=(M+h\theta V+h^2\theta^2K)^{-1}$"], BODY, BODY_FILL)
box(5.9, 4.4, 3.1, 1.55, "free motion, without contact",
    [r"$v_{\mathrm{free}}=v_k+w\,[\,M(v(t)-v_k)$",
     r"$\quad+\,hF+hP_{\mathrm{ext}}\,]$"], BODY, BODY_FILL)
box(9.6, 4.4, 2.95, 1.55, "correct",
    [r"$v=v_{\mathrm{free}}+w\,H P$", r"$q=q(t)+h\,(\theta v+(1-\theta)\,v(t))$"],
    BODY, BODY_FILL)

# Stations on the contacts.
box(2.65, 2.0, 2.65, 1.4, "detect",
    [r"gap $g$,  frame $(N,T,S)$", r"weights on carriers:  $H$"], CONTACT, CONTACT_FILL)
box(5.9, 2.0, 3.1, 1.4, "concentrate",
    [r"$U_{\mathrm{free}}=H^{*}v_{\mathrm{free}}+U_{\mathrm{imp}}$", r"$W=H^{*}\,w\,H$"],
    CONTACT, CONTACT_FILL)
box(9.6, 2.0, 2.95, 1.4, "Signorini–Coulomb",
    [r"$U=U_{\mathrm{free}}+W P$",
     r"$0\leq U_N+\tilde g/h\ \perp\ P_N\geq 0$",
     r"$|P_T|\leq\mu P_N,\ P_T\ \mathrm{against}\ U_T$"], CONTACT, CONTACT_FILL)

# The way through them.
arrow((5.3, 5.17), (5.9, 5.17), BODY)
arrow((3.97, 4.4), (3.97, 3.4), INK)
write(4.1, 3.9, r"$q_k$", 13, INK, across="left")
arrow((5.3, 2.7), (5.9, 2.7), CONTACT)
arrow((7.45, 4.4), (7.45, 3.4), INK)
write(7.58, 3.9, r"$H^{*}$", 14, INK, across="left")
write(7.98, 3.9, "from bodies to contacts", 9.5, GREY, across="left")
arrow((9.0, 2.7), (9.6, 2.7), CONTACT)
arrow((11.07, 3.4), (11.07, 4.4), INK)
write(11.23, 3.9, r"$r = H P$", 14, INK, across="left")
write(11.23 + 0.8, 3.9, "and back", 9.5, GREY, across="left")

# Sweeps: the loop of the contact solver.
axes.add_patch(FancyArrowPatch((11.95, 2.0), (10.2, 2.0), arrowstyle="-|>",
                               mutation_scale=14, linewidth=1.5, color=CONTACT,
                               connectionstyle="arc3,rad=-0.17", zorder=4))
write(12.55, 1.62, "sweeps", 10.5, CONTACT, across="right")

# The Newton loop closes; the step ends.
polyline([(11.07, 5.95), (11.07, 6.55), (3.97, 6.55), (3.97, 5.95)], LOOP)
write(12.8, 7.13, r"$k+1$,  until momentum is balanced and the laws hold"
      r"  (linear bodies: once)", 10.5, LOOP, across="right")
arrow((0.35, 5.17), (2.65, 5.17), INK, line=2.2)
write(0.32, 5.62, r"$q,\ v$", 15, INK, across="left")
write(0.32, 4.75, r"$P$, law states", 11, INK, across="left")
write(0.32, 4.45, r"at $t$", 11, GREY, across="left")
arrow((12.55, 5.17), (14.9, 5.17), INK, line=2.2)
write(13.62, 5.62, r"$q^{+},\ v^{+}$", 15, INK, across="left")
write(13.62, 4.75, r"$P^{+}$, law states", 11, INK, across="left")
write(13.62, 4.45, r"at $t+h$", 11, GREY, across="left")

write(7.6, 0.75, "accept: energies, law states, results", 10.5, INK, across="right")
write(7.85, 0.75, "|", 10.5, STEP)
write(8.1, 0.75, "no convergence: revert all, cut $h$, try again", 10.5, INK,
      across="left")

name = sys.argv[1] if len(sys.argv) > 1 else os.path.join(
    os.path.dirname(os.path.abspath(__file__)), "..", "doc", "images", "step.svg")
more = {"metadata": {"Date": None}} if name.endswith(".svg") else {"dpi": 120}
figure.savefig(name, facecolor="white", **more)
