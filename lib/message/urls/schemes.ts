/**
 * Decides which words before a colon make a link. With slashes after the colon any scheme does (RFC 3986 §3.1): programs link it without
 * asking what it opens. Without slashes, `Note:see`, `12:30` and `std::string` would be links, too. So only schemes that a program
 * registers count. `javascript:` and `data:` do not count, because no program makes a link of them in a text. Whether a link may stay is
 * decided elsewhere: the analysis knows which schemes are harmless.
 */

const names = (list: string) => new Set(list.trim().split(/\s+/));

/** Schemes that programs register, and whose names do not occur in prose directly before a colon. */
const REGISTERED = names(`
  view-source mhtml mk its hcp wyciwyg filesystem
  http https shttp ftp ftps sftp tftp smb cifs nfs afp davs webdav rsync gopher wss
  ldap ldaps ldapi telnet tn3270 rlogin ssh rdp vnc citrix citrixng ica x-vnc teamviewer8 teamviewer10 tvcontrol1 anydesk rustdesk
  mms mmsh mmst mmsu rtsp rtsps rtmp rtspu nntp snews news itpc pcast webcal webcals
  mailto sip sips h323 iax iax2 callto tel sms skype skype-meetnow lync lync15 sgnl tg telegram whatsapp viber threema weixin wechat alipay alipays
  irc irc6 ircs xmpp aim ymsgr gtalk msnim jabber facetime facetime-audio facetime-group imessage fb-messenger groupme
  zoommtg zoomus zoomphonecall zoomrc webex wbx wemeet msteams slack discord mattermost rocketchat bluejeans gotomeeting gotoopener
  gotowebinar ringcentral rcapp dialpad vsee ciscojabber ciscotel ciscoim callmanager
  onenote onenote-cmd onenotedesktop outlookfeed outlookcal outlookmail microsoft-edge microsoft-edge-holographic windowsdefender
  bingmaps bingweather netflix xbox xboxliveapp zune tvwmc insiderhub
  itms itmss itunes itms-apps itms-appss itms-services itms-books itms-bookss itms-watch macappstore macappstores app-prefs calshow
  applescript steam steammobile uplay origin2 roblox roblox-player minecraft battlenet spotify twitch deezer
  evernote obsidian todoist omnifocus craftdocs zotero vscode vscode-insiders vscodium windsurf jetbrains txmt subl org-protocol
  github-mac github-windows sourcetree gitkraken git-client smartgit docker-desktop vmrc vmware-view horizon-client
  onepassword 1password bitwarden keepassxc otpauth otpauth-migration magnet ed2k dchub flashget qqdl
  bitcoin bitcoincash litecoin ethereum monero dogecoin android-app amzn kindle ibooks thunderlink mailspring ut2004 ts3server
`);
/** Families of schemes that the makers of systems register: `ms-word`, `search-ms`, `x-apple-reminder`, `web+mail`. */
const FAMILIES =
  /^(?:ms-[a-z0-9.+-]+|[a-z0-9.]+-ms|x-[a-z]+-[a-z0-9.+-]+|x-apple[a-z0-9.+-]*|itms-[a-z0-9+-]+|web\+[a-z]+|mqq[a-z]+|snssdk\d+|fb\d+)$/;
/** Registered schemes that are also words of prose and logs. They make a link only in front of a command (`search:query=…`). */
const WORDS = names(`
  search help read man maps music things message notes chrome edge opera brave atom idea receiver origin teams signal line shell about bear
  resource conf im map file res jar blob dav wais fish scp feed feeds podcast market intent workflow shortcuts prefs cursor notion
  sketch figma trello asana papers groove spice unreal insomnia postman thunder aria2 kik gg tidal emacs mumble teamspeak acrobat ws
`);
/** A command: `query=…`, a path, a percent-encoded character, or a media type. */
const COMMAND = /^[^\s"<>]{0,200}[=?\\%!]|^(?:\/|[a-z][:|]|[a-z]{1,20}\/[a-z0-9.+-]{1,40}[;,])/i;
/** Something with a letter. `ssh:22` and `tel:…` only name a number. */
const NAMES_SOMETHING = /^[^\s"<>]{0,200}[a-z]/i;
/** Schemes of defanged URLs, which no program opens. Mail Airlock writes them, too. */
const DEFANGED = /^(?:h[tx]{2,4}ps?|f[tx]{1,2}ps?|hxxps?|fxps?|meows?|t{1,2}ps?)$/;
const WEB = /^(?:https?|ftps?)$/;

/** The most characters of a scheme. */
export const SCHEME_LENGTH = 40;

/** Returns true for a scheme that programs register. `scheme` is in lower case. */
export const isRegistered = (scheme: string) => REGISTERED.has(scheme) || FAMILIES.test(scheme);

/** Returns true when a program may link this scheme with slashes behind it. No program opens `hxxp://`. `scheme` is in lower case. */
export function opensWithSlashes(scheme: string): boolean {
  return WEB.test(scheme) || !DEFANGED.test(scheme);
}

/** Returns true when `scheme:rest` without slashes is a link, and not a word of a sentence. `scheme` is in lower case. */
export function opensWithoutSlashes(scheme: string, rest: string): boolean {
  // An address is a link when it names a file to attach. That name may be far behind. Normalising sees all of it and decides.
  if (FAMILIES.test(scheme) || scheme === 'mailto') return true;
  if (REGISTERED.has(scheme)) return NAMES_SOMETHING.test(rest);
  return WORDS.has(scheme) && COMMAND.test(rest);
}
