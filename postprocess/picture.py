"""Pictures of a run directory, in the papers' manner.

    xvfb-run -a pvbatch postprocess/picture.py RUN_DIR [options]

  --show reactions    reactions at the contacts as lines along the force, their
                      length and thickness proportional to it (default)
  --show blocks       principal moment stresses at the centre of each block:
                      compression dark, traction red
  --show stresses     principal stresses in each cell, in the same manner
  --show tension      only the tensile ones of these
  --show FIELD        the bodies coloured by a field: von_mises_stress,
                      displacement, velocity, stress_yy, ...
  Obstacles are shown with any of these, as far as they are in the frame, which
  the bodies fill. Lines come with one of known force, or stress, as a scale.
  --time T            the result nearest to T (default: the last one)
  --magnify M         of the displacements (default 1)
  --mirror            the bodies and their image about x = 0 (axisymmetric runs)
  --scale S           of the lines, relative to an automatic choice (default 1)
  --output FILE.png   (default: RUN_DIR/SHOW.png)
  --size W H          of the picture in pixels
  --title TEXT        (default: the title of the run and the time shown)

Inside ParaView's Python shell: sys.argv = ["", "RUN_DIR", ...] and exec() this
file; the objects stay in the view.
"""
import argparse
import json
import os
import sys
import xml.etree.ElementTree as ElementTree


def fail(what):
    """Wrong input: one line, exit code 2."""
    sys.stderr.write("picture.py: error: %s\n" % what)
    sys.stderr.flush()
    sys.exit(2)


def series(run_directory, name):
    """(time, file) pairs of a .pvd file."""
    file = os.path.join(run_directory, name)
    if not os.path.exists(file):
        fail("there is no %s in '%s': it is not a run directory, or nothing "
             "has been written yet." % (name, run_directory))
    try:
        root = ElementTree.parse(file).getroot()
        return [(float(d.get("timestep")), os.path.join(run_directory, d.get("file")))
                for d in root.iter("DataSet")]
    except (OSError, ElementTree.ParseError, TypeError, ValueError) as error:
        fail("%s cannot be read: %s." % (file, error))


def nearest(entries, time, run_directory):
    """The entry nearest to a time, or the last one."""
    if not entries:
        fail("there are no results in '%s' yet." % run_directory)
    found = entries[-1] if time is None else min(
        entries, key=lambda entry: abs(entry[0] - time))
    if not os.path.exists(found[1]):
        fail("the result file %s does not exist." % found[1])
    return found


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("run_directory")
    parser.add_argument("--show", default="reactions")
    parser.add_argument("--time", type=float)
    parser.add_argument("--magnify", type=float, default=1.0)
    parser.add_argument("--mirror", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--output")
    parser.add_argument("--size", type=int, nargs=2, default=[1200, 1200])
    parser.add_argument("--title")
    arguments = parser.parse_args()
    run = arguments.run_directory
    if not os.path.isdir(run):
        fail("'%s' is %s." % (run, "not a directory" if os.path.exists(run)
                              else "missing: there is no such directory"))
    needed = ["solution.pvd"]
    if arguments.show in ("reactions", "blocks"):
        needed.append({"reactions": "contact.pvd", "blocks": "blocks.pvd"}[arguments.show])
    for name in needed:
        nearest(series(run, name), arguments.time, run)
    return arguments


# Before ParaView is loaded, which takes a while: mistakes are told at once.
arguments = parse_arguments()

import numpy as np
from paraview import simple as pv
from vtkmodules.numpy_interface import dataset_adapter as dsa
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def read(file):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(file)
    reader.Update()
    return reader.GetOutput()


def mirrored(data):
    """Bodies and their image about x = 0; of vectors the x component turns."""
    from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid
    from vtkmodules.vtkFiltersCore import vtkAppendFilter
    image = vtkUnstructuredGrid()
    image.DeepCopy(data)
    wrapped = dsa.WrapDataObject(image)
    wrapped.Points[:, 0] *= -1.0
    for name in wrapped.PointData.keys():
        values = wrapped.PointData[name]
        if values.ndim == 2 and values.shape[1] == 3:
            values[:, 0] *= -1.0
    both = vtkAppendFilter()
    both.AddInputData(data)
    both.AddInputData(image)
    both.Update()
    return both.GetOutput()


def show_data(data):
    """A VTK data set as a ParaView source."""
    producer = pv.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    producer.UpdatePipeline()
    return producer


def lines(centres, vectors, values, widths):
    """Line segments centred on points, with a value and a radius each."""
    n = len(centres)
    ends = np.empty((2 * n, 3))
    ends[0::2] = centres - 0.5 * vectors
    ends[1::2] = centres + 0.5 * vectors
    points = vtkPoints()
    points.SetData(numpy_to_vtk(ends, deep=True))
    cells = vtkCellArray()
    for i in range(n):
        cells.InsertNextCell(2, (2 * i, 2 * i + 1))
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetLines(cells)
    for name, array in (("value", values), ("radius", widths)):
        vtk_array = numpy_to_vtk(np.repeat(array, 2), deep=True)
        vtk_array.SetName(name)
        data.GetPointData().AddArray(vtk_array)
    return data


def show_lines(view, data, red_above_zero):
    if data.GetNumberOfPoints() == 0:
        return
    tubes = pv.Tube(Input=show_data(data))
    tubes.Scalars = ["POINTS", "radius"]
    tubes.VaryRadius = "By Absolute Scalar"
    tubes.NumberofSides = 8
    display = pv.Show(tubes, view)
    display.Ambient, display.Diffuse = 1.0, 0.0
    if red_above_zero:
        display.ColorArrayName = ["POINTS", "value"]
        table = pv.GetColorTransferFunction("value")
        table.RGBPoints = [-1.0, 0.08, 0.14, 0.36, -1e-9, 0.08, 0.14, 0.36,
                           1e-9, 0.82, 0.1, 0.1, 1.0, 0.82, 0.1, 0.1]
        display.LookupTable = table
    else:
        display.ColorArrayName = [None, ""]
        display.DiffuseColor = display.AmbientColor = [0.08, 0.14, 0.36]


def displacement_at(solid, points):
    """Displacement of the solid's nearest point (for magnified pictures)."""
    from vtkmodules.vtkCommonDataModel import vtkStaticPointLocator
    locator = vtkStaticPointLocator()
    locator.SetDataSet(solid.VTKObject)
    locator.BuildLocator()
    nearest_points = [locator.FindClosestPoint(p) for p in points]
    return solid.PointData["displacement"][nearest_points]


def outlines(solid, positions):
    """Edges of plane pieces: those that only one cell of a piece has."""
    cells = solid.VTKObject.GetCells()
    offsets = np.array(dsa.vtkDataArrayToVTKArray(cells.GetOffsetsArray()))
    corners = np.array(dsa.vtkDataArrayToVTKArray(cells.GetConnectivityArray()))
    points = np.array(solid.Points)
    piece = (np.array(solid.PointData["piece"])
             + 1e6 * np.array(solid.PointData["body"]))
    size = np.ptp(points, axis=0).max() or 1.0
    keys = np.round(np.column_stack([points / size * 1e7, piece])).astype(np.int64)
    identity = np.unique(keys, axis=0, return_inverse=True)[1].ravel()
    edges = []
    for begin, end in zip(offsets[:-1], offsets[1:]):
        ring = corners[begin:end]
        # VTK's order of corners goes round the cell.
        edges.append(np.column_stack([ring, np.roll(ring, -1)]))
    edges = np.concatenate(edges)
    names = np.sort(identity[edges], axis=1)
    first, counts = np.unique(names, axis=0, return_index=True,
                              return_counts=True)[1:]
    outer = edges[first[counts == 1]]
    ends = positions[outer.ravel()]
    points_out = vtkPoints()
    points_out.SetData(numpy_to_vtk(np.ascontiguousarray(ends), deep=True))
    lines_out = vtkCellArray()
    for i in range(len(outer)):
        lines_out.InsertNextCell(2, (2 * i, 2 * i + 1))
    data = vtkPolyData()
    data.SetPoints(points_out)
    data.SetLines(lines_out)
    return data


def show_obstacles(view, run, time, dim):
    """The obstacles of a run, if it has any; whether there are some."""
    if not os.path.exists(os.path.join(run, "obstacles.pvd")):
        return False
    data = read(nearest(series(run, "obstacles.pvd"), time, run)[1])
    if data.GetNumberOfPoints() == 0:
        return False
    display = pv.Show(show_data(data), view)
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.25, 0.35, 0.45]
    if dim == 2:
        display.LineWidth = 3.0
        display.Ambient, display.Diffuse = 1.0, 0.0
    else:
        display.Opacity = 0.35
    return True


class Frame:
    """The part of space that is shown: the bodies where they are, with a margin
    that is wider where there are obstacles to be seen. Parallel projection."""

    def __init__(self, points, dim, with_obstacles, with_bar):
        self.dim = dim
        back = np.array([0.0, 0.0, 1.0] if dim == 2 else [0.6, -1.0, 0.45])
        self.back = back / np.linalg.norm(back)
        up = np.array([0.0, 1.0, 0.0] if dim == 2 else [0.0, 0.0, 1.0])
        self.right = np.cross(up, self.back)
        self.right /= np.linalg.norm(self.right)
        self.up = np.cross(self.back, self.right)
        axes = np.column_stack([self.right, self.up, self.back])
        seen = points @ axes
        low, high = seen.min(axis=0), seen.max(axis=0)
        self.middle = axes @ (0.5 * (low + high))
        self.size = high - low
        self.extent = self.size.max() or 1.0
        margin = 0.07 if with_obstacles else 0.04
        # Title above, scale below, the bar of colours to the right.
        free = 0.17 if with_bar else 0.0
        width = (self.size[0] + 2 * margin * self.extent) / (1.0 - free)
        height = (self.size[1] + 2 * margin * self.extent) / 0.86
        aspect = arguments.size[0] / arguments.size[1]
        self.height = max(height, width / aspect)
        self.middle = self.middle + 0.5 * free * self.height * aspect * self.right

    def look(self, view):
        view.CameraParallelProjection = 1
        if self.dim == 2:
            view.InteractionMode = "2D"
        view.CameraFocalPoint = list(self.middle)
        view.CameraPosition = list(self.middle + 10.0 * self.extent * self.back)
        view.CameraViewUp = list(self.up)
        view.CameraParallelScale = 0.5 * self.height

    def place(self, x, y):
        """The point in front of everything at shares x, y of the picture."""
        width = self.height * arguments.size[0] / arguments.size[1]
        return (self.middle + (x - 0.5) * width * self.right
                + (y - 0.5) * self.height * self.up
                + 2.0 * self.extent * self.back)


def round_below(value):
    """The largest of 1, 2, 5 times a power of ten that is not above."""
    power = 10.0 ** np.floor(np.log10(value))
    return max(m * power for m in (1.0, 2.0, 5.0) if m * power <= value * 1.0001)


def spacing(points):
    """The usual distance of a point to the next one."""
    from vtkmodules.vtkCommonDataModel import vtkStaticPointLocator
    from vtkmodules.vtkCommonCore import vtkIdList
    if len(points) < 2:
        return np.inf
    data = vtkPolyData()
    at = vtkPoints()
    at.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
    data.SetPoints(at)
    locator = vtkStaticPointLocator()
    locator.SetDataSet(data)
    locator.BuildLocator()
    found, distances = vtkIdList(), []
    for p in points:
        locator.FindClosestNPoints(2, p, found)
        distances.append(np.linalg.norm(p - points[found.GetId(1)]))
    return np.median(distances) or np.inf


def show_scale(view, frame, what, largest, length, thickness, red=False):
    """A line of a round value, as the others are drawn, and its value: they are
    value * length long, with a radius of thickness times that."""
    value = round_below(largest)
    width = frame.height * arguments.size[0] / arguments.size[1]
    while value * length > 0.25 * width:
        value = round_below(0.5 * value)
    drawn = value * length
    start = frame.place(0.03, 0.045)
    show_lines(view, lines(np.array([start + 0.5 * drawn * frame.right]),
                           np.array([drawn * frame.right]),
                           np.array([1.0 if red else -1.0]),
                           np.array([thickness * drawn])), red)
    text = pv.Text(Text="%s %g" % (what, value))
    display = pv.Show(text, view)
    display.Color = [0.1, 0.1, 0.1]
    display.FontSize = 12
    display.WindowLocation = "Any Location"
    display.Position = [0.045 + drawn / width, 0.033]


def principal_lines(data, centres, extent, scale, dim, only_tension=False):
    """A cross at each centre: the principal stresses along their directions."""
    values = [np.array(data.PointData["principal_stress_%d" % (i + 1)])
              for i in range(dim)]
    directions = [np.array(data.PointData["principal_direction_%d" % (i + 1)])
                  for i in range(dim)]
    if only_tension:
        values = [np.maximum(v, 0.0) for v in values]
    largest = max(np.abs(v).max() for v in values) or 1.0
    length = scale * extent / largest
    all_centres = np.concatenate([centres] * dim)
    magnitude = np.concatenate(values)
    vectors = np.concatenate(directions) * (np.abs(magnitude) * length)[:, None]
    radii = np.maximum(0.045 * np.abs(magnitude) * length, 1e-4 * extent)
    # What is invisible is not drawn.
    keep = np.abs(magnitude) > 0.004 * largest
    return (lines(all_centres[keep], vectors[keep],
                  np.sign(magnitude[keep]), radii[keep]), largest, length)


def main():
    run = arguments.run_directory.rstrip("/")

    time, solid_file = nearest(series(run, "solution.pvd"), arguments.time, run)
    solid_data = read(solid_file)
    if arguments.mirror:
        solid_data = mirrored(solid_data)
    solid = dsa.WrapDataObject(solid_data)
    bounds = solid_data.GetBounds()
    extent = max(bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4])
    moved = (np.array(solid.Points) + arguments.magnify
             * np.array(solid.PointData["displacement"]))
    dim = 2 if bounds[5] - bounds[4] < 1e-9 * extent else 3
    body_size = extent
    if "piece" in solid.PointData.keys():
        n_pieces = len(np.unique(np.array(solid.PointData["piece"])
                                 + 1e6 * np.array(solid.PointData["body"])))
        volume = np.prod([max(b, 1e-300) for b in
                          (bounds[1] - bounds[0], bounds[3] - bounds[2],
                           bounds[5] - bounds[4])[:dim]])
        body_size = (volume / max(n_pieces, 1)) ** (1.0 / dim)

    view = pv.CreateView("RenderView")
    view.ViewSize = arguments.size
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    warped = pv.WarpByVector(Input=show_data(solid_data))
    warped.Vectors = ["POINTS", "displacement"]
    warped.ScaleFactor = arguments.magnify
    display = pv.Show(warped, view)
    display.Representation = "Surface With Edges"
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.96, 0.94, 0.9]
    display.EdgeColor = [0.85, 0.83, 0.79]
    display.Ambient, display.Diffuse = (1.0, 0.0) if dim == 2 else (0.35, 0.65)
    if dim == 3 and arguments.show in ("reactions", "blocks", "stresses", "tension"):
        display.Opacity = 0.25

    if dim == 2 and "piece" in solid.PointData.keys():
        outline_display = pv.Show(show_data(outlines(solid, moved)), view)
        outline_display.LineWidth = 1.2
        outline_display.ColorArrayName = [None, ""]
        outline_display.DiffuseColor = outline_display.AmbientColor = [0.4, 0.37, 0.33]
        outline_display.Ambient, outline_display.Diffuse = 1.0, 0.0

    frame = Frame(moved, dim, show_obstacles(view, run, time, dim),
                  arguments.show not in ("reactions", "blocks", "stresses", "tension"))

    if arguments.show == "reactions":
        points = dsa.WrapDataObject(read(nearest(series(run, "contact.pvd"), time, run)[1]))
        if points.VTKObject.GetNumberOfPoints() > 0:
            force = np.array(points.PointData["reaction"])
            magnitude = np.linalg.norm(force, axis=1)
            largest = magnitude.max() or 1.0
            keep = magnitude > 0.004 * largest
            # Neither longer than a block nor a thicket where contacts are many.
            length = arguments.scale * min(
                0.9 * body_size, 8.0 * spacing(np.array(points.Points)[keep])) / largest
            # Contact points are in the deformed position already.
            centres = np.array(points.Points)
            if arguments.magnify != 1.0:
                centres = centres + (arguments.magnify - 1.0) * displacement_at(
                    solid, centres)
            show_lines(view, lines(centres[keep], force[keep] * length,
                                   magnitude[keep],
                                   0.05 * length * magnitude[keep]), False)
            if magnitude.max() > 0.0:
                show_scale(view, frame, "reaction", largest, length, 0.05)
    elif arguments.show in ("blocks", "stresses", "tension"):
        if arguments.show == "blocks":
            data = dsa.WrapDataObject(
                read(nearest(series(run, "blocks.pvd"), time, run)[1]))
            size = body_size
        else:
            centres_filter = pv.CellCenters(Input=pv.PointDatatoCellData(
                Input=show_data(solid_data)))
            centres_filter.UpdatePipeline()
            data = dsa.WrapDataObject(pv.servermanager.Fetch(centres_filter))
            volume_of_cell = (np.prod([bounds[2 * c + 1] - bounds[2 * c]
                                       for c in range(dim)])
                              / max(1, solid_data.GetNumberOfCells()))
            size = 1.6 * volume_of_cell ** (1.0 / dim)
        centres = np.array(data.Points)
        centres = centres + arguments.magnify * displacement_at(solid, centres)
        crosses, largest, length = principal_lines(
            data, centres, size, arguments.scale, dim, arguments.show == "tension")
        show_lines(view, crosses, True)
        if crosses.GetNumberOfPoints() > 0:
            show_scale(view, frame, "stress", largest, length, 0.045,
                       arguments.show == "tension")
    else:
        if arguments.show not in solid.PointData.keys():
            fail("there is no field '%s'. Known: %s, and reactions, blocks, "
                 "stresses, tension." % (arguments.show,
                                         ", ".join(solid.PointData.keys())))
        pv.ColorBy(display, ("POINTS", arguments.show))
        display.RescaleTransferFunctionToDataRange(True)
        display.SetScalarBarVisibility(view, True)
        table = pv.GetColorTransferFunction(arguments.show)
        bar = pv.GetScalarBar(table, view)
        bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
        bar.ScalarBarLength = 0.4
        bar.WindowLocation = "Any Location"
        bar.Position = [0.86, 0.3]
        bar.Title = arguments.show.replace("_", " ")
        bar.ComponentTitle = ""
        bar.AutomaticLabelFormat = 0
        bar.LabelFormat = bar.RangeLabelFormat = "%-#6.3g"

    title = arguments.title
    if title is None:
        title = ""
        summary = os.path.join(run, "summary.json")
        if os.path.exists(summary):
            with open(summary) as file:
                title = json.load(file).get("title", "")
        title = (title + "   " if title else "") + "t = %.4g" % time
        if arguments.magnify != 1.0:
            title += "   (displacements x %g)" % arguments.magnify
    if title:
        text = pv.Text(Text=title)
        text_display = pv.Show(text, view)
        text_display.Color = [0.1, 0.1, 0.1]
        text_display.FontSize = 14
        text_display.WindowLocation = "Upper Center"

    pv.ResetCamera(view)  # which the first rendering would do
    frame.look(view)
    pv.Render(view)
    output = arguments.output or os.path.join(run, arguments.show + ".png")
    pv.SaveScreenshot(output, view, ImageResolution=arguments.size)
    print(output)


main()
