/** A receipt that was never tried. */
export function pendingReceipt(nextTryAt: Date) {
  return {
    id: 'receipt',
    status: 'pending' as const,
    attempts: 0,
    postponed: false,
    lastAnswer: null,
    lastAnswerAt: null,
    nextTryAt,
    sentAt: null,
    leavesOut: false,
  };
}

export function unopenedLink(createdAt: Date, expiresAt: Date) {
  return {
    id: 'link',
    createdAt,
    expiresAt,
    openedCount: 0,
    firstOpenedAt: null,
    lastOpenedAt: null,
    usedAt: null,
    revokedAt: null,
  };
}
