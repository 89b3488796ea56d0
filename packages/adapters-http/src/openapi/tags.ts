/** The groups of the reference, in order. */
export const TAGS = {
  Products: 'What the organisation sells. Products are made as drafts and delivered once they are published.',
  'Versions and files':
    'What buyers get: each version of a product holds files. Activating a version puts it live and freezes its files.',
  Purchases:
    'Recording a purchase makes the customer (when new), the purchase and its download link in one step.',
  Downloads: 'Who downloaded what, when, and how much of it; and the links themselves, revoked or restored.',
  Reports: 'For spreadsheets: CSV, with errors in plain text.',
  'Webhook log':
    'Every delivery of every shop, with what became of each line and why. The log is what the dashboard shows as well.',
  'SKU mappings':
    'Which product a SKU of a shop delivers. A SKU that equals a product’s slug or id needs no mapping.',
  'Inbound webhooks':
    'Where commerce platforms announce orders. A shop sends them automatically, once its settings hold the address and the secret.',
  'Buyers’ pages': 'What the link in a receipt opens.',
  Operations: 'For operators of Handover, and for programs that use it. None of it needs a key.',
} as const;

export type TagName = keyof typeof TAGS;

/** Marks every operation that the interface specification does not require. */
export const ADDITION_TAG = 'Handover addition';
