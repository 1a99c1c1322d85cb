"""Opens messages with Python's email, and prints one line of JSON a file: name, defects, parts, and whether DKIM and ARC hold.

Usage: read-mail.py KEYS FILE...; KEYS is a file of JSON with the TXT records by name, which stands for the DNS. DKIM is left out when
python3-dkim is not there. A message that does not open is left out, and standard error says why.
"""

import email
import email.policy
import hashlib
import json
import sys
from pathlib import Path

try:
    import dkim
except ImportError:
    dkim = None


def defects_of(message):
    for part in message.walk():
        for defect in part.defects:
            yield type(defect).__name__
        for _, value in part.items():
            for defect in getattr(value, "defects", ()):
                yield type(defect).__name__


def length_of(part, content):
    try:
        return len(part.get_content()) if part.get_content_maintype() == "text" else len(content)
    except LookupError:
        # Python does not know the charset.
        return len(content)


def parts_of(message):
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True) or b""
        yield {
            "type": part.get_content_type(),
            "name": part.get_filename(),
            "sha256": hashlib.sha256(content).hexdigest(),
            "length": length_of(part, content),
        }


def dkim_of(data, records):
    if dkim is None:
        return None

    def answer(name, timeout=5):
        return records.get(name.decode().rstrip("."), "").encode()

    arc = dkim.arc_verify(data, dnsfunc=answer)[0]
    return {"dkim": dkim.verify(data, dnsfunc=answer), "arc": arc.decode() if isinstance(arc, bytes) else str(arc)}


def main():
    records = json.loads(Path(sys.argv[1]).read_text())
    for path in sys.argv[2:]:
        try:
            data = Path(path).read_bytes()
            message = email.message_from_bytes(data, policy=email.policy.default)
            seen = {
                "name": Path(path).name,
                "subject": str(message["subject"]),
                "from": str(message["from"]),
                "defects": sorted(set(defects_of(message))),
                "parts": list(parts_of(message)),
                "signatures": dkim_of(data, records),
            }
            print(json.dumps(seen))
        except Exception as error:
            print(f"{path}: {error!r}", file=sys.stderr)


main()
