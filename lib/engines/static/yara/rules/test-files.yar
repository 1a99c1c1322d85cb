// Files made to test scanners. The test string is written in two pieces, so that this rule file is not one itself.

rule eicar_test_file {
  meta:
    id = "eicar-test-file"
    name = "EICAR test file"
    description = "The standard file that every scanner reports, to prove that it works."
    level = "malicious"
    score = 100
  strings:
    $first = "X5O!P%@AP[4\\PZX54(P^)7CC)7}"
    $second = "$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
  condition:
    // By its definition: the 68 bytes at the very start, then white space or Ctrl-Z only, at most 128 bytes in all.
    filesize <= 128 and $first at 0 and $second at 27 and
    (filesize == 68 or for all i in (68..filesize - 1) : (
      uint8(i) == 0x20 or uint8(i) == 0x09 or uint8(i) == 0x0a or uint8(i) == 0x0d or uint8(i) == 0x1a))
}

rule eicar_test_string {
  meta:
    id = "eicar-test-string"
    name = "EICAR test string"
    description = "Holds the scanner test string inside other content: not the test file itself, but somebody is testing."
    level = "suspicious"
    score = 60
  strings:
    $first = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$"
    $second = "EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
  condition:
    not eicar_test_file and for any i in (1..#first) : ($second at @first[i] + 28)
}
