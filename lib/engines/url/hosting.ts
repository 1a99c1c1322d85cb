/** Domains under which anyone can publish. A link there does not show who is behind it. Most are harmless. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Free and anonymous hosting of pages. */
export const FREE_HOSTING = words(`
  000webhostapp.com 0fees.us 100webspace.net 1freehosting.com 20m.com 22web.org 4shared.com atwebpages.com awardspace.com bitballoon.com
  blogspot.com bubbleapps.io byethost.com carrd.co cfolks.pl codeanyapp.com codesandbox.io csb.app deno.dev edgeone.app fly.dev framer.app
  framer.website freehosting.com gitbook.io github.io gitlab.io glitch.me godaddysites.com herokuapp.com hostingerapp.com
  infinityfreeapp.com jimdosite.com lovable.app mystrikingly.com mywebsitetransfer.com netlify.app ngrok-free.app onrender.com pages.dev
  pantheonsite.io railway.app render.com repl.co replit.app replit.dev rf.gd r2.dev sharepoint-pages.com site123.me sites.google.com
  square.site start.page storage.googleapis.com stackblitz.io strikingly.com surge.sh tilda.ws typedream.app ucraft.site umso.co
  unaux.com vercel.app web.app firebaseapp.com webador.com webcindario.com webflow.io weebly.com weeblysite.com wixsite.com wixstudio.io
  wordpress.com workers.dev yolasite.com zapier.app zyrosite.com azurewebsites.net blob.core.windows.net web.core.windows.net
  azurestaticapps.net appspot.com translate.goog hpage.com epizy.com 42web.io
  my-free.website eu.org my.id wcomhost.com plesk.page cprapid.com temporary.site mybluehost.me myftpupload.com secureserversites.net
  byethost4.com byethost5.com byethost7.com byethost8.com byethost10.com byethost12.com byethost14.com byethost15.com byethost24.com
  linodeobjects.com digitaloceanspaces.com backblazeb2.com s3.amazonaws.com`);

/** Dynamic DNS names for machines at home. */
export const DYNAMIC_DNS = words(`
  3utilities.com access.ly bounceme.net cable-modem.org chickenkiller.com ddns.net ddns.me ddnsfree.com ddnsgeek.com ddnsking.com
  dns-dynamic.net dnsdynamic.org duckdns.org dvrcam.info dynalias.com dyn.com dyndns.biz dyndns.info dyndns.org dyndns.tv dynu.com dynu.net
  dynuddns.com dynuddns.net dynv6.net freeddns.org freedynamicdns.net gotdns.ch giize.com gleeze.com homeip.net hopto.me hopto.org
  kozow.com loseyourip.com mooo.com myddns.me myftp.biz myftp.org mywire.org myvnc.com no-ip.biz no-ip.info no-ip.org noip.me
  now-dns.net now-dns.org nsupdate.info onthewifi.com ooguy.com redirectme.net servebeer.com serveblog.net servecounterstrike.com
  serveftp.com servegame.com servehalflife.com servehttp.com serveirc.com serveminecraft.net servemp3.com servepics.com servequake.com
  strangled.net sytes.net theworkpc.com us.to viewdns.net webhop.me webhop.org zapto.org`);

/** Tunnels to a machine behind a firewall. They are open as long as the owner wants. */
export const TUNNELS = words(`
  ngrok.io ngrok.app ngrok-free.app ngrok.dev ngrok-free.dev trycloudflare.com loca.lt localhost.run lhr.life lhr.rocks serveo.net
  localtunnel.me pagekite.me portmap.io portmap.host bore.pub devtunnels.ms playit.gg tunnelmole.net zrok.io pinggy.link pinggy.io`);

/** Gateways to IPFS. Their host names can also be `<hash>.ipfs.<gateway>`. */
export const IPFS_GATEWAYS = words(`
  ipfs.io dweb.link cf-ipfs.com cloudflare-ipfs.com gateway.pinata.cloud mypinata.cloud nftstorage.link w3s.link ipfs.fleek.co
  fleek.cool infura-ipfs.io 4everland.io ipfs.tech ipfs.dweb.link`);

/** Link shorteners: only the service knows where a link leads. */
export const SHORT_LINKS = words(`
  bit.ly bitly.com tinyurl.com t.co goo.gl is.gd v.gd ow.ly buff.ly cutt.ly rebrand.ly rb.gy shorturl.at t.ly tiny.cc tiny.one s.id
  bl.ink lnkd.in soo.gd u.to x.co shorte.st adf.ly ouo.io clck.ru qr.ae qrco.de qr.link lihi.cc reurl.cc urlz.fr urlr.me bitly.ws shrtco.de
  short.gy rotf.lol tny.im 1url.com did.li kutt.it hyperurl.co surl.li t2m.io app.link page.link g.co l.ead.me linktr.ee zpr.io dub.sh`);

/** Top-level domains with free or very cheap names, which are common in lists of attacks. */
export const ABUSED_SUFFIXES = words(`
  tk ml ga cf gq top xyz buzz icu cyou cfd sbs rest click link monster quest bond shop lol hair beauty makeup mom autos boats skin
  homes zip mov work country stream download racing win bid loan men review trade accountant cricket date faith party science webcam
  gdn kim surf support live vip wang ren pw  su cam`);
