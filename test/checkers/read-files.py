"""Opens files with what Python has for them, and prints one line of JSON a file: name, text, and the number of its pieces.

A piece is a member of an archive, a part of a message, a row of a table, an event or card, a frame of a picture. Usage:
read-files.py FILE...; the extension says what a file is. A file that does not open is left out, and standard error says why.
"""

import csv
import email
import email.policy
import io
import json
import sys
import tarfile
import xml.etree.ElementTree
import zipfile
from html.parser import HTMLParser
from pathlib import Path


class Text(HTMLParser):
    """The text of a page, without its code and its styles."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.hidden = 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in ("script", "style", "title")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style", "title")

    def handle_data(self, data):
        if self.hidden == 0:
            self.found.append(data)


def text_of_html(source):
    text = Text()
    text.feed(source)
    text.close()
    return " ".join(text.found)


def read_text(data):
    for charset in ("utf-8-sig", "latin-1"):
        try:
            text = data.decode(charset)
            return text, text.count("\n")
        except UnicodeDecodeError:
            continue


def read_csv(data):
    text, _ = read_text(data)
    # A quote that no cell has in its source stands before what a spreadsheet would compute.
    rows = list(csv.reader(io.StringIO(text), strict=True))
    return "\n".join(" ".join(row) for row in rows), len(rows)


def read_xml(data):
    root = xml.etree.ElementTree.fromstring(data)
    return " ".join(root.itertext()), 1


def read_eml(data):
    message = email.message_from_bytes(data, policy=email.policy.default)
    parts = [part for part in message.walk() if not part.is_multipart()]
    texts = [str(message["subject"] or "")]
    for part in parts:
        if part.get_content_maintype() == "text":
            content = part.get_content()
            texts.append(text_of_html(content) if part.get_content_subtype() == "html" else content)
    if not message.keys() or any(part.defects for part in message.walk()):
        raise ValueError(f"not a message as the standard has it: {[part.defects for part in message.walk()]}")
    return "\n".join(texts), len(parts)


def read_zip(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        damaged = archive.testzip()
        if damaged is not None:
            raise ValueError(f"member {damaged} is damaged")
        names = [name for name in archive.namelist() if not name.endswith("/")]
        return " ".join(names), len(names)


def read_kml(data):
    root = xml.etree.ElementTree.fromstring(data)
    if not root.tag.endswith("}kml"):
        raise ValueError(f"the root is {root.tag}")
    # Programs show descriptions as pages.
    return text_of_html(" ".join(root.itertext())), sum(1 for element in root.iter() if element.tag.endswith("}Placemark"))


def read_kmz(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if archive.testzip() is not None:
            raise ValueError("a member is damaged")
        return read_kml(archive.read(next(name for name in archive.namelist() if name.endswith(".kml"))))


def read_tar(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        for member in members:
            archive.extractfile(member).read()
        return " ".join(member.name for member in members), len(members)


def read_ics(data):
    import icalendar

    texts, events = [], 0
    for calendar in icalendar.Calendar.from_ical(data, multiple=True):
        for component in calendar.walk():
            events += component.name != "VCALENDAR"
            texts += [str(component[key]) for key in ("SUMMARY", "DESCRIPTION", "LOCATION", "UID") if key in component]
    return "\n".join(texts), events


def read_vcf(data):
    import vobject

    cards = list(vobject.readComponents(data.decode("utf-8")))
    return "\n".join(str(line.value) for card in cards for line in card.lines()), len(cards)


def read_picture(data):
    from PIL import Image

    with Image.open(io.BytesIO(data)) as picture:
        frames = getattr(picture, "n_frames", 1)
        for frame in range(frames):
            picture.seek(frame)
            picture.load()
        return "", frames


READERS = {
    "txt": read_text, "csv": read_csv, "xml": read_xml, "kml": read_kml, "kmz": read_kmz, "eml": read_eml, "zip": read_zip, "tar": read_tar,
    "ics": read_ics, "vcf": read_vcf, "png": read_picture, "jpg": read_picture, "gif": read_picture,
    "webp": read_picture, "tif": read_picture, "tiff": read_picture, "bmp": read_picture, "jpeg": read_picture,
}

for path in map(Path, sys.argv[1:]):
    try:
        text, pieces = READERS[path.suffix[1:].lower()](path.read_bytes())
    except Exception as error:  # Whatever a library throws at a broken file, the file did not open.
        print(f"{path.name}: {type(error).__name__}: {error}", file=sys.stderr)
        continue
    print(json.dumps({"name": path.name, "text": text, "pieces": pieces}))
