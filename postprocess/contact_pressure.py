"""Contact pressures of plane runs along x, one panel a run.

    python3 postprocess/contact_pressure.py PICTURE.png [--punch A] TITLE=RUN_DIR ...

Reads the last contact file of each run directory. --punch A draws the pressure of a
rigid flat punch of half-width A on a half-plane, P / (pi sqrt(A^2 - x^2)), with the
force P of each run. Needs python3-matplotlib.
"""
import base64
import glob
import os
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

BLUE, RED = "#1f5fa8", "#c0392b"


def values(array):
    """The numbers of a compressed data array of a .vtu file."""
    text = "".join(array.text.split())
    n_blocks = struct.unpack("<I", base64.b64decode(text[:8])[:4])[0]
    n_header = 4 * ((4 * (3 + n_blocks) + 2) // 3)
    header = base64.b64decode(text[:n_header])[: 4 * (3 + n_blocks)]
    sizes = struct.unpack("<%dI" % (3 + n_blocks), header)[3:]
    data, start, raw = base64.b64decode(text[n_header:]), 0, b""
    for size in sizes:
        raw += zlib.decompress(data[start : start + size])
        start += size
    numbers = np.frombuffer(raw, {"Float32": "<f4", "Float64": "<f8"}[array.get("type")])
    return numbers.reshape(-1, int(array.get("NumberOfComponents") or 1))


def pressures(run):
    """Positions x, pressures and the force of the closed contacts of a run."""
    files = sorted(glob.glob(os.path.join(run, "vtu", "contact_*.vtu")))
    if not files:
        sys.exit("contact_pressure.py: %s has no contact files" % run)
    piece = ElementTree.parse(files[-1]).getroot().find(".//Piece")
    x = values(piece.find("Points/DataArray"))[:, 0]
    data = {a.get("Name"): a for a in piece.find("PointData")}
    force = values(data["normal_force"])[:, 0]
    area = values(data["area"])[:, 0]
    order = np.argsort(x)
    return x[order], (force / area)[order], force.sum()


def main():
    arguments = sys.argv[1:]
    half_width = None
    if "--punch" in arguments:
        i = arguments.index("--punch")
        half_width = float(arguments[i + 1])
        del arguments[i : i + 2]
    if len(arguments) < 2:
        sys.exit(__doc__)
    picture, runs = arguments[0], [a.split("=", 1) for a in arguments[1:]]
    columns = min(2, len(runs))
    rows = (len(runs) + columns - 1) // columns
    figure, panels = plt.subplots(
        rows, columns, figsize=(4.2 * columns, 2.6 * rows), dpi=110, squeeze=False,
        sharex=True, sharey=True)
    for panel, (title, run) in zip(panels.flat, runs):
        x, p, force = pressures(run)
        scale = half_width or np.abs(x).max()
        unit = force / (2.0 * scale)
        panel.plot(x / scale, p / unit, "o-", color=BLUE, ms=2.5, lw=0.8, label="computed")
        if half_width:
            s = np.linspace(-0.999, 0.999, 400)
            panel.plot(s, 2.0 / (np.pi * np.sqrt(1.0 - s * s)), color=RED, lw=1.4,
                       label="theory")
            panel.set_ylim(-0.1, 3.0)
        panel.set_title(title, fontsize=10)
        panel.grid(color="#dddddd", lw=0.6)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    for panel in panels[-1]:
        panel.set_xlabel("x / a" if half_width else "x / largest x")
    for panel in panels[:, 0]:
        panel.set_ylabel("p / mean pressure")
    panels[0][0].legend(frameon=False, fontsize=9, loc="upper center")
    figure.tight_layout()
    figure.savefig(picture)


if __name__ == "__main__":
    main()
