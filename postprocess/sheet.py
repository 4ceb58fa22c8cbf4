"""Pictures of sheets (bodies of type shell) with their thickness, and of the tools.

    ./delassus picture sheet.py RUN_DIR [options]

  --show FIELD        that colours the sheet (default thickness): thinning,
                      major_strain, minor_strain, plastic_strain,
                      von_mises_stress, contact_pressure, displacement,
                      section_moment, ...; of vectors the length
  --time T            the result nearest to T (default: the last one)
  --mirror AXES       of a part its images about x = 0 (x), y = 0 (y) and z = 0
                      (z): --mirror xy makes a quarter whole
  --tools HOW         glass (default), half (cut open by the plane through the
                      middle of the sheet that faces the eye), or none
  --view X Y Z        the direction to the eye (default -0.5 -1 0.6)
  --magnify M         of the displacements (default 1)
  --thicken F         draw the sheet F times as thick as it is (default 1)
  --range LOW HIGH    of the colours (default: that of the field)
  --no-edges          without the edges of the elements
  --output FILE.png   (default: RUN_DIR/sheet_FIELD.png)
  --size W H          of the picture in pixels
  --title TEXT        (default: the title of the run and the time shown)
"""
import argparse
import json
import os
import sys
import xml.etree.ElementTree as ElementTree


def fail(what):
    """Wrong input: one line, exit code 2."""
    sys.stderr.write("sheet.py: error: %s\n" % what)
    sys.stderr.flush()
    sys.exit(2)


def series(run_directory, name):
    """(time, file) pairs of a .pvd file; none if it is not there."""
    file = os.path.join(run_directory, name)
    if not os.path.exists(file):
        return []
    try:
        root = ElementTree.parse(file).getroot()
        return [(float(d.get("timestep")), os.path.join(run_directory, d.get("file")))
                for d in root.iter("DataSet")]
    except (OSError, ElementTree.ParseError, TypeError, ValueError) as error:
        fail("%s cannot be read: %s." % (file, error))


def nearest(entries, time):
    """The entry nearest to a time, or the last one."""
    return entries[-1] if time is None else min(
        entries, key=lambda entry: abs(entry[0] - time))


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("run_directory")
    parser.add_argument("--show", default="thickness")
    parser.add_argument("--time", type=float)
    parser.add_argument("--mirror", default="")
    parser.add_argument("--tools", default="glass", choices=["glass", "half", "none"])
    parser.add_argument("--view", type=float, nargs=3, default=[-0.5, -1.0, 0.6])
    parser.add_argument("--magnify", type=float, default=1.0)
    parser.add_argument("--thicken", type=float, default=1.0)
    parser.add_argument("--range", type=float, nargs=2)
    parser.add_argument("--no-edges", action="store_true")
    parser.add_argument("--output")
    parser.add_argument("--size", type=int, nargs=2, default=[1200, 900])
    parser.add_argument("--title")
    given = parser.parse_args()
    run = given.run_directory
    if not os.path.isdir(run):
        fail("'%s' is %s." % (run, "not a directory" if os.path.exists(run)
                              else "missing: there is no such directory"))
    if not series(run, "solution.pvd"):
        fail("there are no results in '%s': it is not a run directory, or nothing "
             "has been written yet." % run)
    if not set(given.mirror) <= set("xyz"):
        fail("--mirror %s: allowed are x, y, z and several of them." % given.mirror)
    if not any(given.view):
        fail("--view 0 0 0 is no direction.")
    return given


# Before ParaView is loaded, which takes a while: mistakes are told at once.
arguments = parse_arguments()

import numpy as np
from paraview import simple as pv
from vtkmodules.numpy_interface import dataset_adapter as dsa
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkAppendFilter, vtkThreshold
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader


def read(file):
    if not os.path.exists(file):
        fail("the result file %s does not exist." % file)
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(file)
    reader.Update()
    return reader.GetOutput()


def of_sheets(data):
    """The cells of sheets: only they have a thickness."""
    if not data.GetPointData().HasArray("thickness"):
        fail("there are no sheets (bodies of type shell) in this run.")
    threshold = vtkThreshold()
    threshold.SetInputData(data)
    threshold.SetInputArrayToProcess(0, 0, 0, 0, "thickness")
    threshold.SetThresholdFunction(vtkThreshold.THRESHOLD_UPPER)
    threshold.SetUpperThreshold(1e-30)
    threshold.Update()
    return threshold.GetOutput()


def moved(data):
    """Points where they are now, and the sheet as thick as asked for."""
    wrapped = dsa.WrapDataObject(data)
    points = np.array(wrapped.Points) + arguments.magnify * np.array(
        wrapped.PointData["displacement"])
    if arguments.thicken != 1.0:
        # From the middle of each column of points of a corner.
        levels = column_length(data)
        columns = points.reshape(-1, levels, 4, 3)
        middle = 0.5 * (columns[:, :1] + columns[:, -1:])
        points = (middle + arguments.thicken * (columns - middle)).reshape(-1, 3)
    wrapped.Points = points
    return data


def column_length(data):
    """Levels through the thickness: the points of an element come level by level,
    four each; three levels, or both faces of every layer."""
    layer = dsa.WrapDataObject(data).PointData["layer"] \
        if data.GetPointData().HasArray("layer") else np.zeros(1)
    n = int(np.max(layer)) + 1
    levels = 2 * n if n > 1 else 3
    if data.GetNumberOfPoints() % (4 * levels) > 0:
        fail("--thicken: the sheets of this run have different numbers of layers.")
    return levels


def mirrored(data, axes):
    """The data and their images; of vectors the component across turns."""
    for axis in axes:
        c = "xyz".index(axis)
        image = vtkUnstructuredGrid()
        image.DeepCopy(data)
        wrapped = dsa.WrapDataObject(image)
        wrapped.Points[:, c] *= -1.0
        for name in wrapped.PointData.keys():
            values = wrapped.PointData[name]
            if values.ndim == 2 and values.shape[1] == 3:
                values[:, c] *= -1.0
        both = vtkAppendFilter()
        both.AddInputData(data)
        both.AddInputData(image)
        both.Update()
        data = both.GetOutput()
    return data


def show_data(data):
    """A VTK data set as a ParaView source."""
    producer = pv.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    producer.UpdatePipeline()
    return producer


def show_tools(view, run, time, points, eye, up):
    """The tools around the sheet: as much of them as there is room for."""
    entries = series(run, "obstacles.pvd")
    if not entries or arguments.tools == "none":
        return
    data = read(nearest(entries, time)[1])
    if data.GetNumberOfPoints() == 0:
        return
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.12 * (high - low).max()
    source = pv.Clip(Input=show_data(data))
    source.ClipType = "Box"
    source.ClipType.Position = list(low - margin)
    source.ClipType.Length = list(high - low + 2.0 * margin)
    source.Invert = 1
    source.Exact = 1
    if arguments.tools == "half":
        source = pv.Clip(Input=source)
        source.ClipType = "Plane"
        source.ClipType.Origin = list(0.5 * (low + high))
        # The part between the eye and the middle goes away.
        across = eye - np.dot(eye, up) * up
        source.ClipType.Normal = list(across / (np.linalg.norm(across) or 1.0))
        source.Invert = 1
    display = pv.Show(source, view)
    display.Representation = "Surface"
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.55, 0.6, 0.66]
    display.Opacity = 0.18 if arguments.tools == "glass" else 1.0
    display.Specular = 0.2


def color(view, display, data, name):
    values = np.array(dsa.WrapDataObject(data).PointData[name])
    if values.ndim == 2:
        values = np.linalg.norm(values, axis=1)
    low, high = arguments.range or (float(values.min()), float(values.max()))
    if not arguments.range and abs(low) < 1e-6 * high:  # what is left of rounding
        low = 0.0
    if not high - low > 1e-6 * max(abs(low), abs(high)):  # one colour
        low, high = low - 0.01 * (abs(low) or 1.0), high + 0.01 * (abs(high) or 1.0)
    pv.ColorBy(display, ("POINTS", name) if values.ndim == 1
               else ("POINTS", name, "Magnitude"))
    table = pv.GetColorTransferFunction(name)
    table.ApplyPreset("Turbo", True)
    # Where a sheet is thin is where to look: red.
    if name == "thickness":
        table.InvertTransferFunction()
    table.RescaleTransferFunction(low, high)
    display.SetScalarBarVisibility(view, True)
    bar = pv.GetScalarBar(table, view)
    bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
    bar.ScalarBarLength = 0.5
    bar.ScalarBarThickness = 18
    bar.WindowLocation = "Any Location"
    bar.Position = [0.87, 0.25]
    bar.Title = name.replace("_", " ")
    bar.ComponentTitle = ""
    bar.TitleFontSize = 16
    bar.LabelFontSize = 14
    bar.AutomaticLabelFormat = 0
    bar.LabelFormat = bar.RangeLabelFormat = "%-#6.4g"


def look(view, points):
    """Parallel projection on what the points take of the picture, less the room
    for title and bar. Returns the direction to the eye, and up."""
    eye = np.array(arguments.view, dtype=float)
    eye /= np.linalg.norm(eye)
    up = np.array([0.0, 0.0, 1.0] if abs(eye[2]) < 0.99 else [0.0, 1.0, 0.0])
    right = np.cross(up, eye)
    right /= np.linalg.norm(right)
    upward = np.cross(eye, right)
    axes = np.column_stack([right, upward, eye])
    seen = points @ axes
    low, high = seen.min(axis=0), seen.max(axis=0)
    size = high - low
    extent = max(size.max(), 1e-300)
    aspect = arguments.size[0] / arguments.size[1]
    height = max((size[1] + 0.08 * extent) / 0.84,
                 (size[0] + 0.08 * extent) / 0.82 / aspect)
    middle = axes @ (0.5 * (low + high))
    view.CameraParallelProjection = 1
    # The title above, the bar to the right.
    focus = middle + 0.08 * height * aspect * right + 0.03 * height * upward
    view.CameraFocalPoint = list(focus)
    view.CameraPosition = list(focus + 10.0 * extent * eye)
    view.CameraViewUp = list(upward)
    view.CameraParallelScale = 0.5 * height
    return eye, up


def title_of(run, time):
    if arguments.title is not None:
        return arguments.title
    title = ""
    summary = os.path.join(run, "summary.json")
    if os.path.exists(summary):
        with open(summary) as file:
            title = json.load(file).get("title", "")
    title = (title + "   " if title else "") + "t = %.4g" % time
    if arguments.magnify != 1.0:
        title += "   (displacements x %g)" % arguments.magnify
    if arguments.thicken != 1.0:
        title += "   (thickness x %g)" % arguments.thicken
    return title


def main():
    run = arguments.run_directory.rstrip("/")
    time, file = nearest(series(run, "solution.pvd"), arguments.time)
    data = of_sheets(read(file))
    known = dsa.WrapDataObject(data).PointData.keys()
    if arguments.show not in known:
        fail("there is no field '%s'. Known: %s." % (arguments.show, ", ".join(known)))
    data = mirrored(moved(data), arguments.mirror)

    view = pv.CreateView("RenderView")
    view.ViewSize = arguments.size
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.OrientationAxesVisibility = 0
    display = pv.Show(show_data(data), view)
    display.Representation = "Surface" if arguments.no_edges else "Surface With Edges"
    display.EdgeColor = [0.25, 0.27, 0.3]
    display.LineWidth = 0.5
    display.Ambient, display.Diffuse = 0.25, 0.75
    display.Specular, display.SpecularPower = 0.15, 20.0
    color(view, display, data, arguments.show)
    pv.ResetCamera(view)  # which the first rendering would do
    points = np.array(dsa.WrapDataObject(data).Points)
    eye, up = look(view, points)
    show_tools(view, run, time, points, eye, up)
    text = pv.Text(Text=title_of(run, time))
    text_display = pv.Show(text, view)
    text_display.Color = [0.1, 0.1, 0.1]
    text_display.FontSize = 14
    text_display.WindowLocation = "Upper Center"
    look(view, points)
    pv.Render(view)
    output = arguments.output or os.path.join(run, "sheet_%s.png" % arguments.show)
    pv.SaveScreenshot(output, view, ImageResolution=arguments.size)
    print(output)


main()
