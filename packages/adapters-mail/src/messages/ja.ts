import type { MailMessages } from './en.ts';

// No line begins with a particle: a no-break space sets it behind a name or a time. A subject has plain spaces.
export const ja: MailMessages = {
  space: '',
  download: 'ダウンロード',
  downloadProduct: (product) => `${product}\u00a0をダウンロード`,
  open: '開く',
  openPage: 'ダウンロードページを開く',
  myDownloads: 'マイダウンロード',

  leadOne: (opener, files) =>
    `${opener === 'button' ? 'ボタン' : 'リンク'}を押すとダウンロードページが開きます。${theFiles(files)}をご用意しています。`,
  leadMany: (opener) =>
    `各${opener === 'button' ? 'ボタン' : 'リンク'}から、製品ごとのダウンロードページを開けます。`,
  leadNoFiles: 'ファイルはまだ準備中です。準備ができ次第、ダウンロードページに表示されます。',
  lifetime: ({ links, duration, until }) =>
    `${links === 1 ? 'リンク' : '各リンク'}の有効期間は ${duration}（${until}\u00a0まで）です。開くたびに、その時点から ${duration}有効になります。`,
  renewal: '期限が切れた場合は、いつでもこちらから新しいリンクをお受け取りいただけます：',
  files: (count, size) => (count === 1 ? `1 ファイル、${size}` : `${count} ファイル、合計 ${size}`),
  filesInAll: (files) => `${files}。`,
  noFiles: 'ファイルはまだありません',
  order: (number, date) => `ご注文番号 ${number}（${date}）`,
  orderedOn: (date) => `ご注文日 ${date}`,

  replyToShop: (shop) =>
    `お困りの際は、このメールにそのままご返信ください。${shop}\u00a0の担当者が拝見します。`,
  writeToShop: 'お困りの際は、ショップ名の横にあるアドレスまでご連絡ください。',
  notAsked: 'お心当たりのない場合は、このメールを破棄してください。お客様以外には送信していません。',
  pasteOne: 'ボタンが動作しない場合は、次のアドレスをブラウザに貼り付けてください：',
  pasteMany: 'ボタンが動作しない場合は、次のアドレスをブラウザに貼り付けてください：',

  receipt: {
    subjectOne: (product) => `ダウンロードのご案内：${product}`,
    subjectTwo: (one, other) => `ダウンロードのご案内：${one}、${other}`,
    subjectShop: (shop) => `${shop} からダウンロードのご案内`,
    // A shop’s form may put the given name first, which alone is too familiar with 様.
    thanks: () => 'ご購入ありがとうございます。',
    readyOne: (product) => `${product}\u00a0をダウンロードできます。`,
    yoursOne: (product) => `${product}\u00a0のご購入が完了しました。`,
    readyMany: (count) => `${count}\u00a0点の製品をダウンロードできます。`,
    yoursMany: (count) => `${count}\u00a0点の製品のご購入が完了しました。`,
  },

  links: {
    library: 'マイライブラリを開く',
    leadLibrary:
      'マイライブラリでは、ご購入いただいたすべての製品をご覧いただけます。製品ごとのリンクもご利用いただけます。',
    subjectOne: (product) => `新しいリンクのご案内：${product}`,
    subjectShop: (shop) => `${shop} から新しいリンクのご案内`,
    subjectAll: '新しいリンクのご案内',
    heading: () => '新しいリンクをお届けします。',
    newestOnly: (count) =>
      `以下は最近ご購入の ${count}\u00a0点です。マイライブラリにはすべての製品があります。`,
  },
};

function theFiles(count: number): string {
  return count === 1 ? 'ファイル' : `${count}\u00a0個のファイル`;
}
