"""Words of the texts of patent files (patent-document, ep-patent-document, us-patent-*), read with Python's own XML parser.

usage: words.py FILE...     one JSON object per file: {"abstract en": ["word", ...], ...}

It shares nothing with the Go parser but the rules in its package comment, so that the two can check each other.
"""
import json
import re
import sys
import xml.etree.ElementTree as ET

BLOCK = set("""p heading title claim claim-text claim-statement li br pre ul ol sl dl dt dd tables table tgroup thead tbody
tfoot row entry colspec abst-problem abst-solution technical-field background-art disclosure description-of-drawings
description-of-embodiments best-mode country doc-number kind date""".split())
SECTIONS = {"invention-title": "title", "B542": "title", "abstract": "abstract", "description": "description", "claims": "claims"}
SOURCES = ["patent-office", "docdb"]


def flat(element):
    """The text of an element: blocks are set off by white space, inline elements by nothing."""
    name = element.tag.split("}")[-1]
    if name == "copyright":
        return element.tail or ""
    gap = "\n" if name in BLOCK else ""
    inner = (element.text or "") + "".join(flat(child) for child in element)
    if name == "p":
        inner = re.sub(r"^\s*(PROBLEM TO BE SOLVED|SOLUTION|PURPOSE|CONSTITUTION):", "", inner)
        inner = re.sub(r"COPYRIGHT: *\(C\).*", "", inner)
    return gap + inner + gap + (element.tail or "")


def words(element):
    element.tail = None
    text = re.sub("\u00ad\\s*", "", flat(element))
    text = re.sub("(?<=[^\\W\\d_])\u00ac\\s*", "", text)
    return text.split()


def sections(root):
    chosen = {}
    title_lang = None
    for element in root.iter():
        if element.tag == "B541":
            title_lang = element.text.strip()
        section = SECTIONS.get(element.tag)
        if section is None:
            continue
        lang = element.get("lang", root.get("lang", "")).lower()
        if element.tag == "B542":
            lang = title_lang
        source = element.get("load-source")
        rank = SOURCES.index(source) if source in SOURCES else len(SOURCES)
        found = words(element)
        key = section + " " + lang
        if found and (key not in chosen or rank < chosen[key][0]):
            chosen[key] = (rank, found)
    return {key: found for key, (_, found) in chosen.items()}


for path in sys.argv[1:]:
    print(json.dumps(sections(ET.parse(path).getroot())))
