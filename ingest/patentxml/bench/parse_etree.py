"""The peer of BenchmarkAgainstEtree: extracts the fields of schemas.Document with xml.etree (C) and prints MB per second of processor time.

usage: parse_etree.py FOLDER

The files are read into memory first; it goes over them for a second, three times, and prints the best rate. What
it extracts is what the Go parser extracts, without language detection, hyphenation and checks.
"""
import os
import sys
import time
import xml.etree.ElementTree as ET

BLOCK = frozenset("p heading claim claim-text li br row entry table".split())


def collect(element, parts):
    block = element.tag in BLOCK
    if block:
        parts.append(" ")
    if element.text:
        parts.append(element.text)
    for child in element:
        collect(child, parts)
        if child.tail:
            parts.append(child.tail)
    if block:
        parts.append(" ")


def text(element):
    parts = []
    collect(element, parts)
    return " ".join("".join(parts).split())


def names(bib, path):
    seen = {}
    for party in bib.iterfind(path):
        if party.get("format") == "epo":
            name = party.findtext("addressbook/name") or party.findtext("addressbook/last-name")
            if name:
                seen[" ".join(name.split())] = True
    return list(seen)


def ipc(bib):
    rows = {}
    for element in bib.iterfind("technical-data/classifications-ipcr/classification-ipcr"):
        code = element.text
        symbol = code[:4] + " " + code[4:8].strip() + "/" + code[9:15].strip()
        rows.setdefault(symbol, (symbol, code[0], code[:3], code[:4], code[4:8].strip(), code[9:15].strip(),
                                 code[19:27], code[27], code[28], code[29], code[39]))
    return list(rows.values())


def extract(raw):
    root = ET.fromstring(raw)
    bib = root.find("bibliographic-data")
    row = {
        "ucid": root.get("ucid"), "country": root.get("country"), "doc_number": root.get("doc-number"),
        "kind": root.get("kind"), "lang": root.get("lang"), "date": root.get("date"), "family_id": root.get("family-id"),
        "status": root.get("status"), "date_produced": root.get("date-produced"),
        "application_date": bib.findtext("application-reference/document-id/date"),
        "priority": min((e.text for e in bib.iterfind("priority-claims/priority-claim/document-id/date")), default=None),
        "ipc": ipc(bib),
        "applicants": names(bib, "parties/applicants/applicant"),
        "inventors": names(bib, "parties/inventors/inventor"),
    }
    row["ipc_subclasses"] = sorted({symbol[3] for symbol in row["ipc"]})
    row["citations"] = []
    for patcit in bib.iterfind("technical-data/citations/patent-citations/patcit"):
        source = patcit.find("sources/source")
        row["citations"].append((patcit.get("ucid"), source.get("name"), source.get("category")))
    for title in bib.iterfind("technical-data/invention-title"):
        row["title_" + title.get("lang").lower()] = " ".join(title.text.split())
    for section in ("abstract", "description"):
        for element in root.iterfind(section):
            row[section + "_" + element.get("lang").lower()] = text(element)
    for claims in root.iterfind("claims"):
        row["claims_" + claims.get("lang").lower()] = "\n".join(text(claim) for claim in claims.iterfind("claim"))
    return row


def main():
    folder = sys.argv[1]
    files = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            files.append(f.read())
    total = sum(map(len, files))
    best = 0.0
    for _ in range(3):
        start, done = time.process_time(), 0
        while time.process_time() - start < 1:
            for raw in files:
                extract(raw)
            done += total
        best = max(best, done / 1e6 / (time.process_time() - start))
    print(f"{best:.1f}")


main()
