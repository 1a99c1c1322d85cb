/** Brand names that phishing uses, and the domains that may use them. The list is short: operators add their own name in the policy. */

export interface Brand {
  /** The word in host names: lower-case letters and digits. */
  readonly word: string;
  /** Registrable domains of the brand, besides the word itself below the usual top-level domains. */
  readonly domains: readonly string[];
  /** Whether a name that differs in one letter is a sign. It is not for short words or words that resemble dictionary words. */
  readonly isTypoSign: boolean;
  /** Whether the word has an ordinary meaning. Such a word says something only together with login words. */
  readonly isDictionaryWord: boolean;
  /** Whether sites about it, or a company's own installation of it, use the bare word as a label: `outlook.company.example`. */
  readonly isCommonLabel: boolean;
}

/**
 * A brand and its domains. A line that begins with blanks continues the line above. `~`: one letter less or more is no sign. `!`: a word of
 * the dictionary. `+`: others use the bare word as a label.
 */
const LINES = `
paypal paypal.com paypal.me paypalobjects.com paypal-corp.com
microsoft+ microsoft.com microsoftonline.com windows.net office.com azure.com live.com sharepoint.com microsoft365.com msn.com windows.com
microsoftonline microsoftonline.com microsoftonline-p.com
office365+ office365.com office.com microsoft.com
onedrive+ onedrive.com live.com microsoft.com
outlook!+ outlook.com office.com office365.com microsoft.com live.com outlook.de outlook.fr
sharepoint+ sharepoint.com microsoft.com
apple!+ apple.com icloud.com apple.news cdn-apple.com mzstatic.com
icloud~+ icloud.com apple.com icloud-content.com
google~+ google.com googleapis.com gstatic.com googleusercontent.com withgoogle.com goo.gl google-analytics.com youtube.com googletagmanager.com googleadservices.com googlesource.com googlegroups.com googleblog.com
gmail~+ gmail.com google.com
amazon!+ amazon.com amazonpay.com amazon.de amazon.co.uk amazonaws.com media-amazon.com amazonses.com awstrack.me amazon-adsystem.com ssl-images-amazon.com amazoncognito.com amazontrust.com aboutamazon.com
  amazonwebservices.com amazonwebservices.com.cn amazonwebservices.eu amazonaws-us-gov.com
facebook+ facebook.com facebookmail.com fb.com fbcdn.net meta.com facebook.net
instagram+ instagram-engineering.com instagram.com facebook.com cdninstagram.com
whatsapp+ whatsapp.com whatsapp.net wa.me
linkedin+ linkedin.com licdn.com lnkd.in
netflix netflix.com nflxext.com nflximg.net netflix.net netflixtechblog.com
dropbox+ dropbox.com dropboxusercontent.com dropboxmail.com dropboxapi.com
docusign docusign.com docusign.net docusign.de
adobe!+ adobe.com adobelogin.com typekit.net adobe.io adobecc.com
dhl~ dhl.com dhl.de dhl-news.com dhlparcel.nl dhlparcel.co.uk dhlecommerce.com
fedex~ fedex.com
usps~ usps.com
hermesworld hermesworld.com
royalmail royalmail.com
swisspost swisspost.com post.ch
correos~ correos.es
laposte~ laposte.fr laposte.net
deutschepost deutschepost.de dhl.de
coinbase coinbase.com
binance~ binance.com binance.us binance.org
kraken!+ kraken.com
metamask metamask.io
trustwallet trustwallet.com
blockchain!+ blockchain.com blockchain.info
wellsfargo wellsfargo.com wf.com
bankofamerica bankofamerica.com bofa.com
capitalone capitalone.com
americanexpress americanexpress.com aexp-static.com
citibank citibank.com citi.com
barclays~ barclays.com barclays.co.uk barclaycard.co.uk
hsbc~ hsbc.com hsbc.co.uk
lloydsbank lloydsbank.com lloydsbank.co.uk
natwest natwest.com
santander santander.com santander.co.uk santander.es santander.com.br santanderbank.com
commerzbank commerzbank.de commerzbank.com
sparkasse sparkasse.de sparkasse.at
volksbank volksbank.de volksbank.at
creditagricole credit-agricole.fr credit-agricole.com creditagricole.com
bnpparibas bnpparibas.com bnpparibas.net
societegenerale societegenerale.com societegenerale.fr
revolut~ revolut.com revolut.me
westernunion westernunion.com
moneygram moneygram.com
spotify spotify.com scdn.co spotifycdn.com
steamcommunity steamcommunity.com steampowered.com
steampowered steampowered.com steamcommunity.com
epicgames epicgames.com
roblox~ roblox.com rbxcdn.com
discord!+ discord.com discord.gg discordapp.com discordapp.net
telegram!+ telegram.org telegram.me t.me telegram.dog
twitter~+ twitter.com x.com twimg.com t.co
tiktok~ tiktok.com tiktokcdn.com tiktokv.com
snapchat snapchat.com snap.com
walmart~ walmart.com walmartimages.com
alibaba~ alibaba.com alibabagroup.com alicdn.com alibabacloud.com
aliexpress aliexpress.com aliexpress.us
mercadolibre mercadolibre.com mercadolivre.com.br
airbnb~ airbnb.com
wetransfer wetransfer.com wetransfer.net
mailchimp~+ mailchimp.com list-manage.com mailchimpapp.net
godaddy~ godaddy.com secureserver.net
verizon~ verizon.com verizonwireless.com
vodafone vodafone.com vodafone.de vodafone.co.uk vodafone.it vodafone.es
tmobile~ t-mobile.com telekom.com
telekom~+ telekom.de telekom.com
rakuten~ rakuten.co.jp rakuten.com rakuten.de
ledger!+ ledger.com
opensea~ opensea.io
uniswap uniswap.org
pancakeswap pancakeswap.finance
walletconnect walletconnect.com walletconnect.org reown.com walletconnect.network
trezor~ trezor.io
phantom!+ phantom.app phantom.com
myetherwallet myetherwallet.com
kucoin~ kucoin.com
bybit~ bybit.com
bitfinex bitfinex.com
bitstamp bitstamp.net
xfinity xfinity.com comcast.com comcast.net
rackspace~+ rackspace.com emailsrvr.com
zimbra~+ zimbra.com
roundcube+ roundcube.net
btinternet btinternet.com bt.com
virginmedia virginmedia.com
talktalk~ talktalk.co.uk
telstra~ telstra.com telstra.com.au
swisscom~ swisscom.ch swisscom.com
bluewin~ bluewin.ch
postfinance postfinance.ch
raiffeisen~+ raiffeisen.ch raiffeisen.at raiffeisen.ru
postbank~ postbank.de
comdirect~ comdirect.de
targobank targobank.de
consorsbank consorsbank.de
rabobank rabobank.nl rabobank.com
abnamro abnamro.nl abnamro.com
belfius~ belfius.be
intesasanpaolo intesasanpaolo.com
bancolombia bancolombia.com
bradesco~ bradesco.com.br
mercadopago mercadopago.com mercadopago.com.br mercadopago.com.ar
caixabank caixabank.es caixabank.com
commbank commbank.com.au
westpac~ westpac.com.au
scotiabank scotiabank.com
desjardins desjardins.com
interac~ interac.ca
navyfederal navyfederal.org
usaa~ usaa.com
truist~ truist.com
venmo~ venmo.com
zelle~ zellepay.com
klarna~ klarna.com
evri~ evri.com
anpost~ anpost.com anpost.ie
auspost~ auspost.com.au
postnl~ postnl.nl postnl.be
bpost~ bpost.be bpost.com
mondialrelay mondialrelay.fr mondialrelay.com
colissimo colissimo.fr laposte.fr
chronopost chronopost.fr
vinted~ vinted.com vinted.fr vinted.de
leboncoin leboncoin.fr
inpost~ inpost.pl inpost.it inpost.co.uk
allegro!+ allegro.pl allegro.cz allegro.eu
ezpass~ ezpassny.com ezpassva.com ezpassnj.com ezpassmd.com
sunpass~ sunpass.com
hmrc~+ hmrc.gov.uk
impots~ impots.gouv.fr
ameli~ ameli.fr
paypay~ paypay.ne.jp
mercari~ mercari.com
garena~ garena.com
steam!+ steampowered.com steamcommunity.com
playstation playstation.com
turbotax intuit.com
chase! chase.com jpmorganchase.com jpmorgan.com
citi!~ citi.com citibank.com citigroup.com
halifax! halifax.co.uk halifax.ca
lloyds! lloydsbank.com lloydsbank.co.uk lloyds.com
dkb~ dkb.de
ingdiba ing.de ing-diba.de
nubank nubank.com.br
davivienda davivienda.com
itau~ itau.com.br
smbc~ smbc.co.jp smbc-card.com
vpass~ smbc-card.com vpass.ne.jp
aeon~! aeon.co.jp aeon.com
disneyplus disneyplus.com disney.com
yahoo~+ yahoo.com yahoo.co.jp yahooinc.com
uspostal usps.com
australiapost auspost.com.au
etransfer~! interac.ca
grupwhatsapp whatsapp.com
sucursalpersonas bancolombia.com
tangerine! tangerine.ca
rbc~ rbc.com royalbank.com rbcroyalbank.com
quickbooks~ intuit.com
`;

/** All brands by their word. */
export const BRANDS: ReadonlyMap<string, Brand> = new Map(
  LINES.trim()
    .split(/\n(?! )/)
    .map((line) => {
      const [head = '', ...domains] = line.split(/\s+/);
      const word = head.replace(/[~!+]/g, '');
      const isDictionaryWord = head.includes('!');
      const isTypoSign = word.length >= 6 && !head.includes('~') && !isDictionaryWord;
      return [word, { word, domains, isTypoSign, isDictionaryWord, isCommonLabel: head.includes('+') }];
    }),
);
