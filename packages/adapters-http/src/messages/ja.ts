import { html } from '@handover/html';
import type { Messages } from './en.ts';

// No line begins with a particle: a no-break space sets it behind a name or a time.
export const ja: Messages = {
  space: '',
  order: (number) => `注文番号 ${number}`,

  download: {
    versionFor: (version, name) => html`バージョン ${version}、${name} 様`,
    for: (name) => html`${name} 様`,
    works: ({ left, until, lifetime }) =>
      html`このリンクは<strong>あと ${left}</strong>（${until}\u00a0まで）有効です。開くたびに、その時点から ${lifetime}有効になります。`,
    notReady: 'ファイルはまだ準備中です。',
    notReadyWhy: (shop) =>
      html`ご購入は完了しています。ファイルは ${shop}\u00a0が公開すると、ここに表示されます。しばらくしてから、このリンクをもう一度開いてください。`,
    newer: (version, address) =>
      html`バージョン ${version}\u00a0が公開されています。ご希望の場合は ${address}\u00a0までご連絡ください。`,
    resume: 'ダウンロードが途中で止まった場合は、ブラウザの「再開」を押してください。続きから再開されます。',
    questions: (address) => html`ご不明な点は ${address}\u00a0までお問い合わせください。`,
  },

  files: {
    list: 'ファイル',
    download: 'ダウンロード',
    again: 'もう一度ダウンロード',
    all: (count, size) => `${count}\u00a0個のファイルをまとめてダウンロード（${size}）`,
    allAsk: '複数のファイルのダウンロードを許可するかどうか、ブラウザが確認することがあります。',
    allBegun:
      '{count} 個中 {n} 個のダウンロードを始めました。進み具合は、ブラウザのダウンロード一覧でわかります。',
    whole: '転送完了',
    stopped:
      '続きから再開するには、ブラウザのダウンロード一覧で「再開」を押してください。ボタンを押すと最初からになります。',
    check: 'ファイルを確認（SHA-256）',
  },

  script: {
    starting: '開始しています',
    percent: '{n}%',
    portion: '{sent}/{size}',
    sent: '{portion} 転送済み',
    seconds: '残り約 {n} 秒',
    minutes: '残り約 {n}\u00a0分',
    hours: '残り約 {n}\u00a0時間',
    offline: '現在接続できません',
    howFar: '{portion}\u00a0で止まりました。',
    nowWhole: '{name}：転送完了',
    nowSent: '{name}：{percent} 転送済み',
    nowStopped: '{name}：{portion}\u00a0で止まりました',
  },

  ended: {
    expired: 'リンクの有効期限が切れました',
    expiredWhy: (lifetime, product) =>
      html`リンクは、最後に開いてから ${lifetime}で無効になります。ご購入の ${product}\u00a0は引き続きご利用いただけます。新しいリンクをメールでお送りします。`,
    goesTo: (address) => html`ご注文時のアドレス ${address}\u00a0にお送りします`,
    mailNew: '新しいリンクをメールで受け取る',
    otherAddress: (address, what) =>
      html`アドレスが変わった場合は、${what}を添えて ${address}\u00a0までご連絡ください。`,
    theOrder: (number) => html`<strong>ご注文番号 ${number} </strong>`,
    theAddress: 'ご注文時のメールアドレス',
    onItsWay: (product, address) =>
      html`${product}\u00a0の新しいリンクを ${address}\u00a0にお送りしました。届くまで少し時間がかかることがあります。迷惑メールフォルダもご確認ください。`,
    nothingThere: (address, what) =>
      html`届かない場合は、${what}を添えて ${address}\u00a0までご連絡ください。`,
    mailedAlready: '新しいリンクはすでにお送りしています',
    mailedAlreadyWhy: ({ address, wait, from }) =>
      html`${address}\u00a0にお送りしました。迷惑メールフォルダもご確認ください。次は ${wait}後（${from}\u00a0以降）にリクエストできます。`,
    revoked: 'このリンクは取り消されました',
    replacedWhy: (product) =>
      html`ショップが ${product}\u00a0のリンクを取り消しました。より新しいリンクが届いている場合は、そちらをお試しください。`,
    revokedWhy: (product) =>
      html`ショップが ${product}\u00a0へのアクセスを停止しました。これまでのリンクはすべて無効になり、新しいリンクをお送りすることもできません。`,
    askShop: (address, what) => html`詳しくは、${what}を添えて ${address}\u00a0までお問い合わせください。`,
  },

  my: {
    name: 'マイダウンロード',
    title: 'ダウンロードをもう一度受け取る',
    lead: 'ご購入時のメールアドレスを入力してください。ご購入いただいたすべての製品の新しいリンクをお送りします。',
    email: 'メールアドレス',
    invalid: 'ana@example.com\u00a0のように、アドレス全体を入力してください。',
    send: 'リンクをメールで受け取る',
    aside: (tries) =>
      `リクエストは 1\u00a0時間に ${tries}\u00a0回までです。どのアドレスにも同じ内容を表示するため、ご購入の内容が他の人に知られることはありません。`,
    inbox: '受信トレイをご確認ください',
    noted: (address) =>
      html`${address}\u00a0でのご購入があれば、メールをお送りします。届くまで少し時間がかかることがあります。迷惑メールフォルダもご確認ください。`,
    noMail:
      '届かない場合は、別のアドレスでご購入された可能性があります。そのアドレスでお試しいただくか、ご購入先のショップまでお問い合わせください。',
    didYouMean: (address) => html`もしかして ${address}\u00a0ですか？`,
    sendThere: 'このアドレスにリンクを送る',
    tooOftenAddress: 'このアドレスへのリクエストが多すぎます',
    tooOftenNetwork: 'お使いのネットワークからのリクエストが多すぎます',
    again: (wait, from) =>
      html`${wait}後（${from}\u00a0以降）にもう一度お試しください。送信済みのメールは届きます。`,
  },

  library: {
    title: 'マイライブラリ',
    lead: (address) => html`${address}\u00a0でご購入いただいたすべての製品です（新しい順）。`,
    works: ({ until, lifetime }) =>
      html`このページは ${until}\u00a0まで有効で、この端末ではサインインしたままになります。開くたびに、その時点から ${lifetime}有効になります。`,
    nothing: '表示できる製品がありません。不足がある場合は、ショップまでお問い合わせください。',
    bought: (date) => html`ご購入日 ${date}`,
    replaced:
      'このページを開いたメールの送信後に、ショップがこの製品のリンクを差し替えました。新しいメールからファイルをご利用いただけます。',
    noFiles: 'ファイルはまだありません',
    older: '以前のご購入',
    newest: '最新のご購入に戻る',
    forget: 'この端末からサインアウト',
    ended: 'マイライブラリの有効期限が切れました',
    endedWhy: 'リンクをもう一度リクエストしてください。届いたメールから開けます。',
  },

  notFound: {
    title: 'ページが見つかりません',
    heading: 'このアドレスにはページがありません',
    lead: 'メールのリンクは長いため、途中で切れることがあります。メールのボタンをもう一度押すか、その下のリンク全体をコピーしてください。',
    aside: '解決しない場合は、リンクが届いたメールにご返信ください。ショップが拝見します。',
  },

  failure: {
    reference: '受付番号：',
    tryAgain: 'もう一度試す',
    busy: [
      'ただいま混み合っています',
      'データは失われていません。1\u00a0分ほどしてから、もう一度お試しください。',
    ],
    slow: [
      '接続に時間がかかりすぎました',
      '送信内容が時間内に届かなかったため、変更は行われていません。前のページに戻り、もう一度お試しください。',
    ],
    files: [
      'ただいまファイルをご利用いただけません',
      'リンクは引き続きお使いいただけます。データは失われていません。1\u00a0分ほどしてから、もう一度ダウンロードしてください。',
    ],
    database: [
      'まもなく復旧します',
      'ただいまデータベースに接続できません。データは失われていません。1\u00a0分ほどしてから、このページを再読み込みしてください。',
    ],
    server: [
      'システムでエラーが発生しました',
      'ご購入内容に影響はありません。このページを再読み込みしてください。解決しない場合は、下の受付番号を添えて、リンクが届いたメールにご返信ください。',
    ],
    unreadable: [
      '送信内容を読み取れませんでした',
      'メールのリンクをもう一度開いてください。変更は行われていません。',
    ],
  },

  start: {
    heading: 'ダウンロードの配信サイトです',
    lead: 'ショップが、サンプル音源、プラグイン、電子書籍、ソフトウェアなどの製品をお届けするためのサイトです。ご注文後、ファイルへのリンクをメールでお送りします。',
    bought: '製品をご購入の方',
    boughtWhat:
      'メールのリンクをご利用ください。見つからない場合や期限が切れた場合は、ご購入いただいたすべての製品の新しいリンクをお送りします。',
    shop: 'ショップを運営されている方',
    shopWhat: '注文、製品、設定はダッシュボードで管理できます。',
    signIn: 'サインイン',
    version: (version) => `バージョン ${version}`,
  },
};
