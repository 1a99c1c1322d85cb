"""Prints one line of JSON for each message in Maildir folders, as Python's mailbox and email read it.

Usage: read-maildir.py FOLDER...
"""

import email.policy
import hashlib
import json
import mailbox
import sys
from pathlib import Path


def parts_of(message):
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True) or b""
        yield {
            "type": part.get_content_type(),
            "name": part.get_filename(),
            "sha256": hashlib.sha256(content).hexdigest(),
            "text": part.get_content() if part.get_content_type() == "text/plain" else None,
        }


def parse(stream):
    return email.message_from_binary_file(stream, policy=email.policy.default)


for folder in sys.argv[1:]:
    for message in mailbox.Maildir(folder, factory=parse, create=False):
        print(
            json.dumps(
                {
                    "mailbox": Path(folder).name,
                    "returnPath": message["return-path"],
                    "subject": message["subject"],
                    "received": message.get_all("received", []),
                    "parts": list(parts_of(message)),
                }
            )
        )
