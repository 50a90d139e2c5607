"""Opens each document of a folder by openpyxl or python-docx; prints `file TAB error`."""
import pathlib
import re
import sys
import warnings

import docx
import openpyxl

warnings.simplefilter("ignore")


def read_workbook(file):
    for sheet in openpyxl.load_workbook(file, rich_text=True, keep_links=True).worksheets:
        # Only cells that the file has: a sheet may reach to the last row.
        for cell in list(sheet._cells.values()):
            (cell.value, cell.number_format, cell.comment, cell.hyperlink)


def read_document(file):
    document = docx.Document(str(file))
    for paragraph in document.paragraphs:
        (paragraph.text, paragraph.style.name)
    for table in document.tables:
        [cell.text for row in table.rows for cell in row.cells]
    for section in document.sections:
        [paragraph.text for paragraph in section.header.paragraphs + section.footer.paragraphs]
    (document.core_properties.title, len(document.inline_shapes), [style.name for style in document.styles])


for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    try:
        read_document(path) if path.suffix == ".docx" else read_workbook(path)
    except Exception as error:
        kind = "python-docx" if path.suffix == ".docx" else "openpyxl"
        print(path.name, re.sub(r"\s+", " ", f"{kind}: {type(error).__name__} {error}"), sep="\t")
