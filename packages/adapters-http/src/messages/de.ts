import { html } from '@handover/html';
import type { Messages } from './en.ts';

export const de: Messages = {
  space: ' ',
  order: (number) => `Bestellung ${number}`,

  download: {
    versionFor: (version, name) => html`Version ${version}, für ${name}`,
    for: (name) => html`Für ${name}`,
    works: ({ left, until, lifetime }) =>
      html`Dieser Link gilt <strong>noch ${left}</strong>, bis ${until}. Mit jedem Öffnen beginnen die ${lifetime} von vorn.`,
    notReady: 'Die Dateien sind noch nicht bereit.',
    notReadyWhy: (shop) =>
      html`Ihr Kauf ist erfasst. Sobald ${shop} die Dateien hochgeladen hat, finden Sie sie hier. Öffnen Sie diesen Link später noch einmal.`,
    newer: (version, address) =>
      html`Version ${version} ist erschienen. Wenn Sie sie möchten, schreiben Sie an ${address}.`,
    resume:
      'Falls ein Download abbricht, wählen Sie in Ihrem Browser „Fortsetzen“: Er läuft an derselben Stelle weiter.',
    questions: (address) => html`Fragen? ${address}`,
  },

  files: {
    list: 'Dateien',
    download: 'Herunterladen',
    again: 'Noch einmal herunterladen',
    all: (count, size) => `${count === 2 ? 'Beide' : `Alle ${count}`} Dateien herunterladen (${size})`,
    allAsk: 'Ihr Browser fragt vielleicht, ob diese Seite mehrere Dateien herunterladen darf.',
    allBegun: '{n} von {count} Dateien begonnen. Wie weit jede ist, zeigt die Download-Liste Ihres Browsers.',
    whole: 'Vollständig übertragen',
    stopped:
      'Um dort weiterzumachen, wählen Sie in der Download-Liste Ihres Browsers „Fortsetzen“. Die Schaltfläche startet den Download von vorn.',
    check: 'Datei prüfen (SHA-256)',
  },

  script: {
    starting: 'Wird gestartet',
    percent: '{n}\u00a0%',
    portion: '{sent} von {size}',
    sent: '{portion} übertragen',
    seconds: 'noch etwa {n} s',
    minutes: 'noch etwa {n} min',
    hours: 'noch etwa {n} h',
    offline: 'gerade keine Verbindung',
    howFar: 'Der Download blieb bei {portion} stehen.',
    nowWhole: '{name}: vollständig übertragen',
    nowSent: '{name}: {percent} übertragen',
    nowStopped: '{name}: stehen geblieben bei {portion}',
  },

  ended: {
    expired: 'Dieser Link ist abgelaufen',
    expiredWhy: (lifetime, product) =>
      html`Links gelten ${lifetime} ab dem letzten Öffnen. ${product} gehört weiterhin Ihnen: Wir schicken Ihnen einen neuen Link.`,
    goesTo: (address) => html`Er geht an die Adresse Ihrer Bestellung, ${address}`,
    mailNew: 'Neuen Link zusenden',
    otherAddress: (address, what) =>
      html`Haben Sie inzwischen eine andere Adresse? Schreiben Sie an ${address} und nennen Sie ${what}.`,
    theOrder: (number) => html`<strong>Bestellung ${number}</strong>`,
    theAddress: 'die Adresse, mit der Sie bestellt haben',
    onItsWay: (product, address) =>
      html`Ein neuer Link zu ${product} ist unterwegs an ${address}. Das kann eine Minute dauern; sehen Sie auch im Spam-Ordner nach.`,
    nothingThere: (address, what) =>
      html`Nichts angekommen? Schreiben Sie an ${address} und nennen Sie ${what}.`,
    mailedAlready: 'Der neue Link wurde schon versendet',
    mailedAlreadyWhy: ({ address, wait, from }) =>
      html`Er ging an ${address} und liegt vielleicht im Spam-Ordner. In ${wait} (ab ${from}) können Sie einen weiteren anfordern.`,
    revoked: 'Dieser Link wurde zurückgezogen',
    replacedWhy: (product) =>
      html`Der Shop hat diesen Link zu ${product} zurückgezogen. Falls Sie danach einen neuen Link erhalten haben, versuchen Sie es mit diesem.`,
    revokedWhy: (product) =>
      html`Der Shop hat Ihren Zugang zu ${product} beendet. Keiner der Links funktioniert mehr, und es kann kein neuer verschickt werden.`,
    askShop: (address, what) =>
      html`Schreiben Sie an ${address} und nennen Sie ${what}. Dort hilft man Ihnen weiter.`,
  },

  my: {
    name: 'Meine Downloads',
    title: 'Ihre Downloads erneut abrufen',
    lead: 'Geben Sie die E-Mail-Adresse ein, mit der Sie gekauft haben. Wir schicken Ihnen neue Links zu allem, was Sie gekauft haben.',
    email: 'E-Mail-Adresse',
    invalid: 'Geben Sie die vollständige Adresse ein, etwa ana@example.com.',
    send: 'Links zusenden',
    aside: (tries) =>
      `Sie können ${tries}-mal pro Stunde anfragen. Die Antwort ist für jede Adresse dieselbe, damit niemand herausfindet, was Sie gekauft haben.`,
    inbox: 'Sehen Sie in Ihrem Postfach nach',
    noted: (address) =>
      html`Wurde mit ${address} etwas gekauft, ist die E-Mail unterwegs. Das kann eine Minute dauern; sehen Sie auch im Spam-Ordner nach.`,
    noMail:
      'Nichts angekommen? Vielleicht haben Sie mit einer anderen Adresse gekauft: Versuchen Sie es mit dieser, oder fragen Sie den Shop, bei dem Sie gekauft haben.',
    didYouMean: (address) => html`Meinten Sie ${address}?`,
    sendThere: 'Links dorthin senden',
    tooOftenAddress: 'Zu viele Anfragen für diese Adresse',
    tooOftenNetwork: 'Zu viele Anfragen aus Ihrem Netz',
    again: (wait, from) =>
      html`Versuchen Sie es in ${wait} noch einmal (ab ${from}). E-Mails, die schon unterwegs sind, kommen an.`,
  },

  library: {
    title: 'Ihre Bibliothek',
    lead: (address) => html`Alles, was mit ${address} gekauft wurde, das Neueste zuerst.`,
    works: ({ until, lifetime }) =>
      html`Diese Seite steht Ihnen bis ${until} offen; auf diesem Gerät bleiben Sie so lange angemeldet. Mit jedem Öffnen beginnen die ${lifetime} von vorn.`,
    nothing: 'Hier ist nichts mehr. Wenn etwas fehlt, schreiben Sie bitte dem Shop.',
    bought: (date) => html`Gekauft am ${date}`,
    replaced:
      'Der Shop hat die Links zu diesem Produkt ersetzt, nachdem die E-Mail verschickt war, die diese Seite geöffnet hat. Eine neue E-Mail führt wieder zu den Dateien.',
    noFiles: 'Noch keine Dateien',
    older: 'Ältere Käufe',
    newest: 'Zurück zu den neuesten',
    forget: 'Auf diesem Gerät abmelden',
    ended: 'Ihre Bibliothek ist geschlossen',
    endedWhy: 'Fordern Sie Ihre Links noch einmal an: Die E-Mail öffnet sie wieder.',
  },

  notFound: {
    title: 'Nichts unter dieser Adresse',
    heading: 'Unter dieser Adresse gibt es nichts',
    lead: 'Links in E-Mails sind lang, und manche Programme schneiden sie ab. Klicken Sie noch einmal auf die Schaltfläche in Ihrer E-Mail, oder kopieren Sie den ganzen Link darunter.',
    aside:
      'Klappt es immer noch nicht? Antworten Sie auf die E-Mail, aus der der Link stammt: Der Shop liest sie.',
  },

  failure: {
    reference: 'Kennung:',
    tryAgain: 'Erneut versuchen',
    busy: ['Gerade ist viel los', 'Nichts ist verloren. Versuchen Sie es in einer Minute wieder.'],
    slow: [
      'Die Verbindung war zu langsam',
      'Ihre Eingabe kam nicht rechtzeitig an, deshalb wurde nichts geändert. Gehen Sie zurück, und versuchen Sie es noch einmal.',
    ],
    files: [
      'Die Dateien sind gerade nicht verfügbar',
      'Ihr Link gilt weiter, und nichts ist verloren. Versuchen Sie den Download in einer Minute wieder.',
    ],
    database: [
      'Wir sind gleich wieder da',
      'Unsere Datenbank ist gerade nicht erreichbar. Nichts ist verloren: Laden Sie diese Seite in einer Minute neu.',
    ],
    server: [
      'Bei uns ist etwas schiefgegangen',
      'Ihr Kauf ist sicher. Laden Sie diese Seite neu. Bleibt es dabei, antworten Sie auf die E-Mail, aus der der Link stammt, und nennen Sie die Kennung unten.',
    ],
    unreadable: [
      'Wir konnten diese Anfrage nicht lesen',
      'Öffnen Sie den Link aus Ihrer E-Mail noch einmal. Es wurde nichts geändert.',
    ],
  },

  start: {
    heading: 'Diese Website liefert digitale Produkte aus',
    lead: 'Shops übergeben hier, was sie verkaufen: Sample-Bibliotheken, Plug-ins, E-Books, Software. Nach der Bestellung erhalten Sie eine E-Mail mit einem Link zu den Dateien.',
    bought: 'Sie haben etwas gekauft',
    boughtWhat:
      'Nutzen Sie den Link in Ihrer E-Mail. Falls Sie ihn nicht finden oder er abgelaufen ist, schicken wir Ihnen neue Links zu allem, was Sie gekauft haben.',
    shop: 'Sie arbeiten für einen Shop',
    shopWhat: 'Bestellungen, Produkte und Einstellungen finden Sie im Dashboard.',
    signIn: 'Anmelden',
    version: (version) => `Version ${version}`,
  },
};
