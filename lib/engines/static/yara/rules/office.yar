// Office documents, seen through what the modules unpack: VBA source, embedded streams, the bytes of RTF objects.

rule vba_automatic_run {
  meta:
    id = "vba-automatic-run"
    name = "Macro that runs programs by itself"
    description = "A macro starts with the document and calls a program, a script object or the system."
    level = "malicious"
    score = 90
    technique = "T1059.005, T1204.002"
  strings:
    $source = "Attribute VB_" nocase
    $auto1 = "AutoOpen" nocase fullword
    $auto2 = "Auto_Open" nocase fullword
    $auto3 = "AutoClose" nocase fullword
    $auto4 = "Auto_Close" nocase fullword
    $auto5 = "AutoExec" nocase fullword
    $auto6 = "Document_Open" nocase fullword
    $auto7 = "Document_Close" nocase fullword
    $auto8 = "DocumentOpen" nocase fullword
    $auto9 = "Workbook_Open" nocase fullword
    $auto10 = "Workbook_Activate" nocase fullword
    $auto11 = "Workbook_BeforeClose" nocase fullword
    $auto12 = "_Layout(" nocase
    $run1 = "Shell" nocase fullword
    $run2 = "CreateObject" nocase fullword
    $run3 = "GetObject" nocase fullword
    $run4 = "ShellExecute" nocase
    $run5 = "URLDownloadToFile" nocase
    $run6 = "powershell" nocase
    $run7 = "mshta" nocase
    $run8 = "kernel32" nocase
    $run9 = "cmd /c" nocase
  condition:
    $source and any of ($auto*) and any of ($run*)
}

rule vba_download {
  meta:
    id = "vba-download"
    name = "Macro that downloads"
    description = "A macro fetches a file from the network."
    level = "suspicious"
    score = 70
    technique = "T1059.005, T1105"
  strings:
    $source = "Attribute VB_" nocase
    $get1 = "URLDownloadToFile" nocase
    $get2 = ".XMLHTTP" nocase
    $get3 = ".ServerXMLHTTP" nocase
    $get4 = "WinHttp.WinHttpRequest" nocase
    $get5 = "InternetExplorer.Application" nocase
  condition:
    $source and any of ($get*)
}

rule excel4_macro_formula {
  meta:
    id = "excel4-macro-formula"
    name = "Excel 4.0 macro that runs programs"
    description = "A macro sheet calls programs or the system."
    level = "malicious"
    score = 80
    technique = "T1059, T1204.002"
  strings:
    $sheet = "macrosheet" nocase
    $call = />[^<]{0,200}\b(EXEC|CALL|REGISTER|FOPEN|FWRITE|RUN)\(/
  condition:
    $sheet in (0..1024) and $call
}

rule dde_command {
  meta:
    id = "dde-command"
    name = "DDE command"
    description = "A field or cell asks another program to run a command."
    level = "suspicious"
    score = 70
    technique = "T1559.002"
  strings:
    $field = /\bDDE(AUTO)?\s+["']?[^\r\n"']{0,100}(cmd|powershell|mshta|wscript|cscript|certutil)/ nocase ascii wide
    // A topic without quotes holds no sign of a pattern or a statement: a regular expression of JavaScript names "cmd|meta" before a "!", too.
    $cell = /(cmd|powershell|mshta|msexcel|rundll32|regsvr32)\s*\|\s*(['"][^\r\n!]{1,200}|[^\r\n!|()\[\]{}=;$^?*'"]{1,200})!/ nocase
  condition:
    any of them
}

rule equation_editor_object {
  meta:
    id = "equation-editor-object"
    name = "Equation editor object"
    description = "Holds a formula for the old equation editor, which runs code from a crafted one (CVE-2017-11882, CVE-2018-0802)."
    level = "suspicious"
    score = 60
    technique = "T1203"
  strings:
    $class_name = "Equation.3" nocase ascii wide
    $class_id = { 02 CE 02 00 00 00 00 00 C0 00 00 00 00 00 00 46 }
    $in_rtf = "4571756174696f6e2e33" nocase
    $object1 = { D0 CF 11 E0 A1 B1 1A E1 }
    $object2 = { 01 05 00 00 02 00 00 00 }
    $object3 = "\\objdata" nocase
  condition:
    ($class_id or $class_name or $in_rtf) and any of ($object*)
}

rule ole_link_to_remote_script {
  meta:
    id = "ole-remote-link"
    name = "Object that is loaded from a remote place"
    description = "An object link points to a web or file server and is updated when the document opens (CVE-2017-0199)."
    level = "malicious"
    score = 80
    technique = "T1203, T1221"
  strings:
    $link = "OLE2Link" nocase ascii wide
    $remote = /https?:\/\/|\\\\[a-z0-9]/ nocase ascii wide
    $link_in_rtf = "4f4c45324c696e6b" nocase
    $updates = "\\objupdate" nocase
  condition:
    ($link and $remote) or ($link_in_rtf and $updates)
}

rule rtf_self_updating_object {
  meta:
    id = "rtf-self-updating-object"
    name = "Object that updates itself"
    description = "An RTF object is loaded as soon as the document is opened, without a click."
    level = "suspicious"
    score = 70
    technique = "T1203"
  strings:
    $start = "{\\rt" nocase
    $data = "\\objdata" nocase
    $updates = "\\objupdate" nocase
  condition:
    $start in (0..64) and $data and $updates
}

rule active_mime {
  meta:
    id = "active-mime"
    name = "ActiveMime macro container"
    description = "A web archive carries a macro project in the form that Word unpacks."
    level = "malicious"
    score = 80
    technique = "T1027, T1059.005"
  strings:
    $plain = "ActiveMime"
    $base64 = "QWN0aXZlTWltZQ"
    $project = /application\/x-mso|editdata\.mso|oledata\.mso/ nocase
  condition:
    $plain at 0 or ($base64 and $project)
}
