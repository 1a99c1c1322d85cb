// Scripts: what droppers and loaders do in every language that Windows runs by itself.
//
// Plain words wherever they do: each worker compiles the rules when it starts, and an expression costs several times what a word costs.

rule powershell_download_and_run {
  meta:
    id = "powershell-download-and-run"
    name = "PowerShell downloads and runs"
    description = "Fetches something with PowerShell and runs it in the same breath."
    level = "suspicious"
    score = 70
    technique = "T1059.001, T1105"
  strings:
    $fetch1 = "Net.WebClient" nocase
    $fetch2 = "Invoke-WebRequest" nocase
    $fetch3 = "Invoke-RestMethod" nocase
    $fetch4 = "Start-BitsTransfer" nocase
    $fetch5 = ".DownloadString(" nocase
    $run1 = "IEX" nocase fullword
    $run2 = "Invoke-Expression" nocase
    $run3 = "Start-Process" nocase
    $run4 = "Invoke-Item" nocase
    $run5 = "Reflection.Assembly]::Load" nocase
  condition:
    any of ($fetch*) and any of ($run*)
}

rule powershell_encoded_command {
  meta:
    id = "powershell-encoded-command"
    name = "PowerShell with an encoded command"
    description = "Starts PowerShell with a command hidden in base64."
    level = "suspicious"
    score = 70
    technique = "T1027.010, T1059.001"
  strings:
    $shell1 = "powershell" nocase ascii wide
    $shell2 = "pwsh" nocase ascii wide
    $encoded = /\s[-\/]e(c|n|nc|nco|ncodedcommand)?\s+["']?[A-Za-z0-9+\/=]{20}/ nocase ascii wide
  condition:
    any of ($shell*) and $encoded
}

rule powershell_hidden {
  meta:
    id = "powershell-hidden"
    name = "Hidden PowerShell"
    description = "Starts PowerShell without a window and without its safety checks."
    level = "suspicious"
    score = 50
    technique = "T1059.001, T1564.003"
  strings:
    $shell1 = "powershell" nocase ascii wide
    $shell2 = "pwsh" nocase ascii wide
    $hidden1 = "-w hidden" nocase ascii wide
    $hidden2 = "-win hidden" nocase ascii wide
    $hidden3 = "-windowstyle hidden" nocase ascii wide
    $hidden4 = "-w 1 " nocase ascii wide
    $bypass1 = "bypass" nocase fullword ascii wide
    $bypass2 = "unrestricted" nocase fullword ascii wide
  condition:
    any of ($shell*) and any of ($hidden*) and any of ($bypass*)
}

rule script_host_dropper {
  meta:
    id = "script-host-dropper"
    name = "Script that fetches or writes, and runs"
    description = "Uses the Windows script host to fetch or write a file and to run programs."
    level = "suspicious"
    score = 70
    technique = "T1059.005, T1105"
  strings:
    $make1 = "ActiveXObject" nocase
    $make2 = "CreateObject" nocase
    $run1 = "WScript.Shell" nocase
    $run2 = "Shell.Application" nocase
    $run3 = "ShellExecute" nocase
    $get1 = "MSXML2." nocase
    $get2 = "Microsoft.XMLHTTP" nocase
    $get3 = "WinHttp.WinHttpRequest" nocase
    $get4 = "ADODB.Stream" nocase
    $get5 = "Scripting.FileSystemObject" nocase
  condition:
    any of ($make*) and any of ($run*) and any of ($get*)
}

rule living_off_the_land {
  meta:
    id = "system-tool-abuse"
    name = "System tool that loads code"
    description = "Calls a program of Windows in a way that loads or decodes code from elsewhere."
    level = "suspicious"
    score = 60
    technique = "T1218"
  strings:
    $mshta = /mshta(\.exe)?["']?\s+["']?(http|javascript:|vbscript:|\\\\)/ nocase ascii wide
    $certutil = "certutil" nocase ascii wide
    $certutil_decode = "-decode" nocase ascii wide
    $certutil_fetch = "-urlcache" nocase ascii wide
    $regsvr = "regsvr32" nocase ascii wide
    $regsvr_remote = "/i:http" nocase ascii wide
    $bits = "bitsadmin" nocase ascii wide
    $bits_transfer = "/transfer" nocase ascii wide
    $rundll = "rundll32" nocase ascii wide
    $rundll_script = "javascript:" nocase ascii wide
    $msiexec = "msiexec" nocase ascii wide
    $msiexec_remote = /[-\/]i\s+http/ nocase ascii wide
  condition:
    // The tool first, what it is told to do within the same command line.
    $mshta or
    ($certutil and for any i in (1..#certutil) : ($certutil_decode in (@certutil[i]..@certutil[i] + 200) or $certutil_fetch in (@certutil[i]..@certutil[i] + 200))) or
    ($regsvr and for any i in (1..#regsvr) : ($regsvr_remote in (@regsvr[i]..@regsvr[i] + 200))) or
    ($bits and for any i in (1..#bits) : ($bits_transfer in (@bits[i]..@bits[i] + 200))) or
    ($rundll and for any i in (1..#rundll) : ($rundll_script in (@rundll[i]..@rundll[i] + 60))) or
    ($msiexec and for any i in (1..#msiexec) : ($msiexec_remote in (@msiexec[i]..@msiexec[i] + 120)))
}

rule javascript_self_decoding {
  meta:
    id = "javascript-self-decoding"
    name = "JavaScript that decodes and runs itself"
    description = "Builds code from escaped or numeric text and runs it."
    level = "suspicious"
    score = 50
    technique = "T1027, T1059.007"
  strings:
    $direct1 = "eval(unescape("
    $direct2 = "eval(atob("
    $direct3 = "eval(decodeURIComponent("
    $direct4 = "eval(String.fromCharCode("
    $packer = "eval(function(p,a,c,k,"
    $written1 = "document.write(unescape("
    $written2 = "document.write(atob("
    $function = "new Function(atob("
    $numbers = /fromCharCode\s*\(\s*(0x[0-9a-f]{2}|\d{2,3})(\s*,\s*(0x[0-9a-f]{2}|\d{2,3})){6}/ nocase
  condition:
    any of them
}

rule vbscript_character_chain {
  meta:
    id = "vbscript-character-chain"
    name = "Text spelled in character codes"
    description = "A long chain of character codes hides what a script does."
    level = "suspicious"
    score = 50
    technique = "T1027, T1059.005"
  strings:
    $chain = /(Chr[WB]?\$?\s*\(\s*(&H[0-9a-f]{2}|\d{2,3})\s*\)\s*[&+]\s*(_\s*)?){6}/ nocase
  condition:
    $chain
}

rule html_smuggling {
  meta:
    id = "html-smuggling"
    name = "Page that assembles a file"
    description = "Builds a file out of text inside the page and offers it as a download, past every gateway."
    level = "suspicious"
    score = 80
    technique = "T1027.006"
  strings:
    $page1 = "<script" nocase
    $page2 = "<html" nocase
    $blob1 = "new Blob"
    $blob2 = "new File("
    $out1 = "msSaveOrOpenBlob"
    $out2 = "msSaveBlob"
    $out3 = ".download="
    $out4 = ".download ="
    $out5 = "setAttribute('download'"
    $out6 = "setAttribute(\"download\""
    $decode1 = "atob"
    $decode2 = "charCodeAt"
    $decode3 = "fromCharCode"
    $data_link = "data:application/" nocase
    $saved_link = /\sdownload\s*=/ nocase
  condition:
    // Libraries that save files hold a page as well, as a text far behind.
    any of ($page*) in (0..65536) and ((any of ($blob*) and any of ($out*) and any of ($decode*)) or ($data_link and $saved_link))
}

rule svg_script {
  meta:
    id = "svg-script"
    name = "Script in a drawing"
    description = "An SVG drawing carries a script or an event handler."
    level = "suspicious"
    score = 50
    technique = "T1059.007"
  strings:
    // Pages hold drawings too; what their scripts do is looked at in the page.
    $page = "<!doctype html" nocase
    $svg = "<svg" nocase
    $svg_prefixed = "<svg:svg" nocase
    $script = "<script" nocase
    $script_prefixed = ":script" nocase
    $handler1 = "onload=" nocase fullword
    $handler2 = "onclick=" nocase fullword
    $handler3 = "onerror=" nocase fullword
    $handler4 = "onbegin=" nocase fullword
    $handler5 = "onmouseover=" nocase fullword
  condition:
    not $page in (0..256) and
    ($svg in (0..4096) or $svg_prefixed in (0..4096)) and (any of ($script*) or any of ($handler*))
}

rule command_for_the_clipboard {
  meta:
    id = "clipboard-command"
    name = "Page that hands over a command"
    description = "Puts a command on the clipboard and tells the reader to run it, as proof of being human or as a repair."
    level = "malicious"
    score = 85
    technique = "T1204.004, T1059"
  strings:
    $copy1 = "clipboard.writeText" nocase
    $copy2 = "execCommand('copy')" nocase
    $copy3 = "execCommand(\"copy\")" nocase
    $command1 = /powershell(\.exe)?\s+-/ nocase
    $command2 = /mshta(\.exe)?\s+["']?http/ nocase
    $command3 = /cmd(\.exe)?\s+\/[ck]\s/ nocase
    $command4 = /curl(\.exe)?\s[^\r\n]{1,120}\|\s*(ba|z)?sh/ nocase
    $told1 = "Win + R" nocase
    $told2 = "Win+R" nocase
    $told3 = "Windows + R" nocase
    $told4 = "Windows Key" nocase
    $told5 = "not a robot" nocase
    $told6 = "Ctrl + V" nocase
    $told7 = "Ctrl+V" nocase
  condition:
    any of ($copy*) and any of ($command*) and any of ($told*)
}

rule batch_behind_wide_mark {
  meta:
    id = "batch-behind-wide-mark"
    name = "Batch file that pretends to be wide text"
    description = "The mark of UTF-16 stands before plain commands, so that viewers show other characters than the system runs."
    level = "malicious"
    score = 85
    technique = "T1027"
  strings:
    $commands1 = "@echo off" nocase
    $commands2 = "&cls" nocase
  condition:
    uint16be(0) == 0xFFFE and uint8(3) != 0 and any of ($commands*)
}

rule protection_switched_off_by_reflection {
  meta:
    id = "reflection-on-protection"
    name = "Reaches into the malware protection"
    description = "Looks up private fields of the scan interface and overwrites them."
    level = "malicious"
    score = 85
    technique = "T1562.001, T1620"
  strings:
    $private = "NonPublic,Static" nocase
    $find1 = "GetField" nocase
    $find2 = "GetTypes()" nocase
    $write1 = "SetValue(" nocase
    $write2 = "Marshal]::Copy" nocase
    $write3 = "Marshal]::Write" nocase
    $name1 = "iUtils" nocase
    $name2 = "InitFailed" nocase
    $name3 = "*Context" nocase
    $name4 = "Management.Automation" nocase
  condition:
    $private and any of ($find*) and any of ($write*) and any of ($name*)
}
