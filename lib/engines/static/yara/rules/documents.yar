// Documents and containers of other kinds.

rule pdf_javascript_heap_spray {
  meta:
    id = "pdf-exploit-script"
    name = "PDF script of an exploit"
    description = "A script that fills memory or calls the functions that exploits use."
    level = "malicious"
    score = 80
    technique = "T1059.007, T1203"
  strings:
    $call1 = "Collab.collectEmailInfo"
    $call2 = "Collab.getIcon"
    $call3 = "media.newPlayer(null"
    // `(\d+){4}` is four digits or more, as `\d{4}` is at the end of a pattern. To list 10,000 numbers would take a tenth of all compilation.
    $format = /util\.printf\s*\(\s*["']%(\d+){4}/
    $export = "exportDataObject"
    $launch = /nLaunch\s*:\s*2/
    $unescape = "unescape"
    $spray = /["']%u([0-9a-f]{2}){2}%u/ nocase
  condition:
    any of ($call*) or $format or ($export and $launch) or ($unescape and $spray)
}

rule pdf_launches_system_tool {
  meta:
    id = "pdf-launches-system-tool"
    name = "PDF starts a system tool"
    description = "A launch action names a command interpreter."
    level = "malicious"
    score = 90
    technique = "T1204.002, T1218"
  strings:
    $pdf = "%PDF-"
    $launch = "/Launch"
    $tool = /\/(F|P|Win)\s*[(<][^\r\n]{0,100}(cmd|powershell|mshta|wscript|cscript|rundll32|bash)\b/ nocase
  condition:
    $pdf in (0..1024) and $launch and $tool
}

rule shortcut_runs_interpreter {
  meta:
    id = "shortcut-runs-interpreter"
    name = "Shortcut that runs a command"
    description = "A Windows shortcut starts a command interpreter or a loader of scripts."
    level = "malicious"
    score = 80
    technique = "T1059, T1204.002"
  strings:
    // Shortcuts keep their arguments in UTF-16, older ones in the system's charset.
    $tool1 = "powershell" nocase wide
    $tool2 = "pwsh" nocase wide
    $tool3 = "cmd.exe" nocase wide
    $tool4 = "mshta" nocase wide
    $tool5 = "wscript" nocase wide
    $tool6 = "cscript" nocase wide
    $tool7 = "rundll32" nocase wide
    $tool8 = "regsvr32" nocase wide
    $tool9 = "certutil" nocase wide
    $tool10 = "bitsadmin" nocase wide
    $tool11 = "msiexec" nocase wide
    $tool12 = "forfiles" nocase wide
    $tool13 = "conhost" nocase wide
    $in_charset = /(powershell|pwsh|cmd\.exe|mshta|wscript|cscript|rundll32|regsvr32|certutil|bitsadmin|msiexec)/ nocase
  condition:
    uint32(0) == 0x0000004c and uint32(4) == 0x00021401 and any of them
}

rule shortcut_text_to_remote_place {
  meta:
    id = "shortcut-remote-target"
    name = "Shortcut to a file server or script"
    description = "An Internet shortcut opens a file on a server, a script or a search on a server."
    level = "suspicious"
    score = 70
    technique = "T1187, T1204.002"
  strings:
    $head = "[InternetShortcut]" nocase
    $target = /=\s*(file:|\\\\|smb:|ms-[a-z]+:|search-ms:|javascript:|vbscript:|data:)/ nocase
  condition:
    $head and $target
}

rule onenote_embedded_program {
  meta:
    id = "onenote-embedded-file"
    name = "File inside OneNote"
    description = "A OneNote section carries a file that a double click opens."
    level = "suspicious"
    score = 70
    technique = "T1204.002"
  strings:
    $file_data = { E7 16 E3 BD 65 26 11 45 A4 C4 8D 4D 0B 7A 9E AC }
  condition:
    // The section header is { E4 52 5C 7B 8C D8 A7 4D ... }.
    uint32be(0) == 0xE4525C7B and $file_data
}

rule disk_image_with_program {
  meta:
    id = "disk-image-program"
    name = "Disk image with a program or shortcut"
    description = "A mounted image takes the programs in it around the checks for downloaded files."
    level = "suspicious"
    score = 80
    technique = "T1204.002, T1553.005"
  strings:
    $iso = "CD001"
    $vhd = "conectix"
    $vhdx = "vhdxfile"
    $name = /\.(exe|scr|lnk|dll|js|vbs|hta|bat|cmd|ps1|wsf)(;1|\x00)/ nocase ascii wide
    $dos_text = "This program cannot be run in DOS mode"
  condition:
    ($iso at 0x8001 or $vhdx at 0 or $vhd at 0 or (filesize > 512 and $vhd at filesize - 512)) and ($name or $dos_text)
}

rule program_in_base64 {
  meta:
    id = "program-in-base64"
    name = "Program written as text"
    description = "A Windows program is hidden in base64 text."
    level = "suspicious"
    score = 70
    technique = "T1027.009"
  strings:
    // "MZ" and the usual first fields of the header, then what base64 makes of the DOS message at its three alignments.
    $start = /TV(qQ|pQ|oA|pB|rQ|ro)[A-Za-z0-9+\/]{60}/
    $text1 = "VGhpcyBwcm9ncmFtIGNhbm5vdCBiZSBydW4gaW4gRE9TIG1vZGU"
    $text2 = "RoaXMgcHJvZ3JhbSBjYW5ub3QgYmUgcnVuIGluIERPUyBtb2Rl"
    $text3 = "UaGlzIHByb2dyYW0gY2Fubm90IGJlIHJ1biBpbiBET1MgbW9kZ"
  condition:
    $start and any of ($text*)
}

rule folder_settings_to_remote_place {
  meta:
    id = "folder-settings-remote"
    name = "Folder settings that reach another machine"
    description = "Settings of a folder or a drive fetch an icon or a program from another machine, which gives away the password's hash."
    level = "suspicious"
    score = 70
    technique = "T1187"
  strings:
    $head1 = "[.ShellClassInfo]" nocase
    $head2 = "[autorun]" nocase
    $remote = /=\s*(file:)?(\\\\|\/\/)([a-z0-9.-]+){2}/ nocase
  condition:
    any of ($head*) and $remote
}

rule setup_information_runs_script {
  meta:
    id = "setup-file-scriptlet"
    name = "Setup information that loads a script"
    description = "A setup information file registers a script from a server."
    level = "malicious"
    score = 85
    technique = "T1218"
  strings:
    $section = "RegisterOCXs" nocase
    $host = "scrobj.dll" nocase
    $remote = "http" nocase
  condition:
    all of them
}

rule console_file_with_script {
  meta:
    id = "console-file-script"
    name = "Management console file with a script"
    description = "A file of the management console runs a script through one of its own pages or transforms."
    level = "malicious"
    score = 85
    technique = "T1218.014"
  strings:
    $console = "MMC_ConsoleFile"
    $script1 = "apds.dll" nocase
    $script2 = "javascript:" nocase
    $script3 = "ActiveXObject" nocase
    $script4 = "loadXML" nocase
  condition:
    $console and any of ($script*)
}

rule installer_from_the_network {
  meta:
    id = "network-installer"
    name = "Description of a program to install"
    description = "A small file makes the system fetch a program from a server and install or run it."
    level = "suspicious"
    score = 60
    technique = "T1105, T1204.002"
  strings:
    $app = "schemas.microsoft.com/appx/appinstaller" nocase
    $java = "<jnlp" nocase
    $java_rights = "all-permissions" nocase
    $remote = /(Uri|codebase|href)\s*=\s*["']https?:/ nocase
  condition:
    ($app or ($java and $java_rights)) and $remote
}

rule windows_protocol_command {
  meta:
    id = "troubleshooter-command"
    name = "Link that runs a command through a troubleshooter"
    description = "A link of the support diagnostics carries a command in its parameters."
    level = "malicious"
    score = 90
    technique = "T1203, T1218"
  strings:
    $scheme = "ms-msdt:" nocase ascii wide
    $parameter1 = "IT_BrowseForFile" nocase ascii wide
    $parameter2 = "IT_RebrowseForFile" nocase ascii wide
    $parameter3 = "PCWDiagnostic" nocase ascii wide
  condition:
    $scheme and any of ($parameter*)
}
