// What other packages and embedding teams may use, by capability; then the ports; then the values that both speak of.
// biome-ignore-all format: lists of names are read as lines, not as columns
// biome-ignore-all assist/source/organizeImports: capabilities come before ports and values

// The door for those who embed fulfilment: a store and a mailer of their own, and defaults for the rest.
export {
  createFulfilment, type DueRun, type FulfilmentOptions, type OrderFulfilment, type ReceiptMailer, type ReceivedOrder,
} from './embed/create-fulfilment.ts';
export { createHmacTokens, type HmacTokens } from './defaults/hmac-tokens.ts';
export { createSystemClock, createUuids } from './defaults/clock-and-ids.ts';

// Fulfilment: from a verified request to a decided order, and the jobs behind it.
export {
  type AlertSubjectState, type CollectedAlert, type EntryState, evaluateAlerts,
} from './fulfilment/collected-alert.ts';
export { decideFulfilment, type DeliveryToDecide } from './fulfilment/decide-fulfilment.ts';
export { alertOfRejection } from './fulfilment/alert-of-rejection.ts';
export { countGenuineRejected, deliverRejected, listGenuineRejected } from './fulfilment/deliver-rejected.ts';
export { evaluateDelivery, explainRefusal } from './fulfilment/evaluate-delivery.ts';
export { type DestinationPorts, findDestination, type FoundDestination } from './fulfilment/find-destination.ts';
export { findWaitingBuyers, type WaitingOrders } from './fulfilment/find-waiting-buyers.ts';
export { fulfilDelivery, resolveDelivery } from './fulfilment/fulfil-delivery.ts';
export { type Decision, fulfilOrder, type FulfilOrderPorts } from './fulfilment/fulfil-order.ts';
export { MAX_UNREADABLE_MS, UNREADABLE_YET } from './fulfilment/give-up-entry.ts';
export { type CatalogueFacts, listOrderCandidates, matchLine } from './fulfilment/decide-lines.ts';
export {
  type DeliveryPreview, previewDelivery, type PreviewDeliveryResult, type PreviewedLine,
} from './fulfilment/preview-delivery.ts';
export { HEAD_START_MS, joinNotes, recordDeliveries } from './fulfilment/record-deliveries.ts';
export { recordUnassigned, type WaitingDelivery } from './fulfilment/record-unassigned.ts';
export { redeliver, type RedeliverResult } from './fulfilment/redeliver.ts';
export { MAX_RERUN, rerunEntries } from './fulfilment/rerun-entries.ts';
export { countOpenWithSku, releaseEntries, releaseHeld, releaseUnmatched } from './fulfilment/release.ts';
export { type AnsweredMail, type DueJob, type JobAnswer, type JobPorts, runJob } from './fulfilment/run-job.ts';
export { runUnassigned } from './fulfilment/run-unassigned.ts';
export {
  chooseKept, MAX_REJECTED_BYTES, MAX_REJECTED_BYTES_PER_SOURCE, MAX_REJECTED_PER_SOURCE, type RejectedSize,
  WHOLE_SHARE,
} from './fulfilment/share-rejected.ts';

// The catalogue: products, their versions and files, and what SKUs mean.
export { createProduct, type CreateProductResult, type NewProduct } from './catalogue/create-product.ts';
export { finishUpload, type FinishUploadResult, type WholeUpload } from './catalogue/finish-upload.ts';
export { mapSku, mapSkuAndRelease, type MapSkuResult, unmapSku } from './catalogue/map-sku.ts';
export {
  activateVersion, type ActivateVersionResult, addVersionFile, type AddVersionFileResult, checkFilePlace,
  createVersion, type CreateVersionResult, type FilePlace, putVersionFile, type PutVersionFileResult, reopenVersion,
  storeVersionFile,
} from './catalogue/prepare-version.ts';
export { publishAndDeliver, type PublishAndDeliverResult, publishVersion } from './catalogue/publish-product.ts';
export { keepContent, removeOldContents } from './catalogue/remove-contents.ts';
export { type ProductChange, updateProduct, type UpdateProductResult } from './catalogue/update-product.ts';
export { moveVersionFile, nameVersionFile, removeVersionFile } from './catalogue/version-files.ts';

// Purchases: recorded, corrected, mailed again, revoked, told.
export { correctAddress, type CorrectAddressResult } from './purchases/correct-address.ts';
export { evaluateReceipt, isMissingFromMail, needsReceipt, type ReceiptState } from './purchases/evaluate-receipt.ts';
export { evaluatePurchase, type PurchaseState, summariseTimeline, listTimelineSteps, type TimelineStep, type TimelineSummary } from './purchases/purchase-timeline.ts';
export { recordSale, type RecordSaleResult, type SaleForm } from './purchases/record-sale.ts';
export { resendReceipt, type ResendReceiptResult, type SeenReceipt } from './purchases/resend-receipt.ts';
export { type BulkRequest, beginBulk, type BulkPlan, type BulkPorts, cancelBulk, continueBulk, type LeftOut, planBulk, runNamedBulk, undoBulk } from './purchases/run-bulk-action.ts';
export { resendReceipts, type SeenPurchase } from './purchases/resend-receipts.ts';
export { deleteTestPurchase } from './purchases/delete-test-purchase.ts';
export { eraseCustomer } from './purchases/erase-customer.ts';
export {
  restorePurchase, restorePurchases, revokePurchase, revokePurchases,
} from './purchases/revoke-purchases.ts';
export { normalizeOrderNumber, searchWords, wordsToFind } from './purchases/search-words.ts';

// Downloads: links, sessions, reports.
export { completeDownload } from './downloads/complete-download.ts';
export { type DownloadsReport, readDownloadsReport } from './downloads/downloads-report.ts';
export {
  openDownloadFile, openDownloadLink, type OpenFileResult, type OpenLinkResult, type VersionFile,
} from './downloads/open-download-link.ts';
export { openLibrary } from './downloads/open-library.ts';
export { readProgress, type ReadProgressResult } from './downloads/read-progress.ts';
export { type InvalidPeriod, readReportPeriod, type ReportPeriod } from './downloads/report-period.ts';
export { requestFreshLink, type RequestFreshLinkResult } from './downloads/request-fresh-link.ts';
export { requestMyLinks, type RequestMyLinksResult } from './downloads/request-my-links.ts';
export { restoreLink, revokeLink } from './downloads/revoke-link.ts';

// E-mails: claimed, sent, completed, limited.
export { composeReceipt } from './email/compose-email.ts';
export { GIVE_UP_AFTER_MS } from './email/decide-outcome.ts';
export { hourOf, limitMails, DEFAULT_MAILS_PER_HOUR } from './email/limit-mails.ts';
export { CLAIM_LASTS_MS, isClaimSure, maySend, sendEmail, type SendEmailPorts, SENDING_MARGIN_MS } from './email/send-email.ts';
export {
  ALERT_DELAY_MS, ALERT_WINDOW_MS, dueAt, type FormerAlertMail, latestDue, whenToMail,
} from './email/when-to-mail.ts';

// Access: organisations, users, sign-ins, teams, connections.
export { acceptInvitation, lookAtInvitation } from './access/accept-invitation.ts';
export {
  addApiKey, KEY_LIFETIMES_DAYS, listApiKeys, type ListedApiKey, nameApiKey, refreshApiKey, replaceApiKey,
  showApiKey,
} from './access/api-key.ts';
export {
  setAlertAddress, setDefaultCurrency, setLocale, setSubscription, updateOrganisation,
} from './access/change-organisation.ts';
export { chooseOrganisation } from './access/choose-organisation.ts';
export {
  ARRIVALS_PERIOD_MS, type ConnectionState, evaluateConnection, type EvaluatedConnection, MAX_ARRIVALS,
  type PlatformState, readConnectionStates,
} from './access/connection-state.ts';
export { createOrganisation, createUser } from './access/create-organisation.ts';
export {
  type Authorisation, authorise, authoriseKey, identifyCaller, type IdentifiedCaller,
} from './access/identify-caller.ts';
export { identifySession, signOut, signOutEverywhere } from './access/identify-session.ts';
export { type Inviter, inviteUser, resendInvitation, withdrawInvitation } from './access/invite-user.ts';
export { listSharedSecrets, setSharedSecret, type SharedSecretSettings } from './access/shared-secrets.ts';
export { mapAccount, unmapAccount } from './access/map-account.ts';
export { addPasskey, keepPasskeyChallenge, signInWithPasskey } from './access/passkeys.ts';
export { isShortSecret, minSecretLength } from './access/read-secret.ts';
export { lookAtSignIn, recordDevice, redeemSignIn, type SpentSignIn } from './access/redeem-sign-in.ts';
export {
  countSignInRequest, issueSignInLink, type IssueSignInLinkResult, requestSignIn, type RequestSignInResult,
} from './access/request-sign-in.ts';
export { readRules, setConnectionRules } from './access/set-connection-rules.ts';
export {
  addIntegrationSecret, FORMER_SECRET_LIFETIME_MS, setIntegrationSecret,
} from './access/set-integration-secret.ts';
export { changeRole, removeUser, type TeamEditor } from './access/team.ts';
export { sendTestMail, type TestMailResult } from './access/send-test-mail.ts';
export { LIMITS } from './access/throttle.ts';

// The activity log, and how long things are kept.
export { pruneOld, removeOldBodies } from './audit/retention.ts';
export { type AuditedAction, type AuditScope, logAction, runAuditedAction } from './audit/run-audited-action.ts';

// What a person sees first.
export {
  type ActionItem, type ActionItemsOverview, type DismissedItem, isSubjectOfActionItem, listActionItems, MAX_WAITING,
  type RejectingPlatform, type ShortSecretConnection, type SilentConnection, subjectOfActionItem,
} from './overview/action-items.ts';
export { type MetricsOverview, readMetrics } from './overview/metrics.ts';
export {
  compareHits, groupHits, isBlankSearch, isTail, MAX_SEARCH_LENGTH, readSearch, type SearchGroup,
} from './overview/search.ts';

// Ports: what the domain asks of the world.
export type { FulfilmentJob, FulfilmentStore, LeasedJob } from './ports/fulfilment-store.ts';
export type {
  ActivityLog, CountedTries, NewSignIn, OrganisationChange, Organisations, OrganisationValues, Passkeys, SignIns, Team,
  Throttles, UserApiKeys, UserDevices, Users, UserSessions,
} from './ports/access.ts';
export type {
  Connections, MappedAccount, PaymentAccounts, SecretChange, SharedSecret, SharedSecrets, WantedConnection,
} from './ports/connections.ts';
export type {
  ApiKeys, SecretFingerprints, SessionTokens, SigningSecrets, SignInTokens, SourceFingerprints,
} from './ports/tokens.ts';
export type {
  AnnounceContent, FileStore, ProductQuery, ProductReads, Products, ProductState, ProductValues, SkuMappings, StagedUploads,
  StoredContent, VersionWithFiles,
} from './ports/catalogue.ts';
export type { Clock, Ids, Timer } from './ports/clock.ts';
export type { ClaimedContents, ContentAddress, ContentsTurn, StoredContents } from './ports/contents.ts';
export type {
  CompletedDownload, DownloadLinks, DownloadSessionPages, DownloadSessions, DownloadTokens, LibraryToken, LinkAddresses,
  LinkTokenReader, NamedLink,
} from './ports/downloads.ts';
export type {
  CommitAnswer, DeliveryLog, DeliveryPages, DeliveryQuery, DeliveryRecording, Fulfilment, Maintenance, OpenDeliveries,
  OpenDeliveryPages, SeenEntry, OrderReader, Prunable, RejectedDeliveries, RejectedReader, Rejection, UnassignedDeliveries,
} from './ports/fulfilment.ts';
export type { Invitations, InvitationTokens } from './ports/invitations.ts';
export type {
  DownloadLinkEmails, LimitedMailer, MailClaim, MailCounts, Mailer, Mailings, OutgoingEmails, WaitingReceipts,
} from './ports/mails.ts';
export type { BulkActions, BulkProgress } from './ports/bulk-actions.ts';
export type { ActionItems, Dismissals, EverywhereSearch, Metrics } from './ports/overview.ts';
export type { Customers, PurchasePages, Purchases, PurchaseWords } from './ports/purchases.ts';
export type { Stores } from './ports/stores.ts';

// Values.
export type {
  ActionItemFacts, FailedOrders, FirstSteps, HeldOrders, PostponedReceipts, RefusedReceipts, UnmatchedSkus,
  UnreadableDeliveries,
  GivenUpAlerts,
} from './model/action-items.ts';
export {
  ACTIVITY_GROUPS, type ActivityGroup, kindsOfGroup, ACTIVITY_VIAS, type ActivityEntry, type ActivityKind,
  type ActivityOrigin, type ActivityVia, AUTOMATIC, COMMAND_LINE,
} from './model/activity.ts';
export { type Alert, ALERT_LIFETIME_MS, type AlertCause, type AlertDetails, type AlertMail, type AlertNotice, alertOfRefusal, ALERTS_IN_A_MAIL, hasKeyEnded, MAX_ALERT_RECIPIENTS, type PendingAlertMail } from './model/alert.ts';
export {
  API_AREAS, type ApiArea, type ApiKeyFacts, type ApiKeyRecord, type ApiKeyScopes, type ApiScope, areasFor,
  DEFAULT_KEY_NAME, hasScope, isExpired, isUseDue, KEY_USE_INTERVAL_MS, type KeyHolder, MAX_API_KEYS_PER_USER,
  readScopes, scopeOf,
  type ApiRight,
} from './model/api-key.ts';
export { type ByteRange, countBytes, MAX_PIECES, mergeRanges } from './model/byte-ranges.ts';
export {
  type Connection, type ConnectionFacts, type ConnectionRules, type Destination, DEFAULT_RULES, NAMED_IN_METADATA,
  type LastDelivery,
} from './model/connection.ts';
export { addDecimals, currencyDigits, type Decimal, displayAmount, formatDecimal, multiplyDecimal, parseDecimal, readAmount, subtractDecimals, writeAmount } from './model/currency.ts';
export { readDay } from './model/day.ts';
export type { LibraryItem } from './model/library.ts';
export { type Formats, formatsOf } from './model/formats.ts';
export {
  chooseLanguage, DEFAULT_LANGUAGE, DEFAULT_TIME_ZONE, type Language, LANGUAGES, readLanguage, readTimeZone,
} from './model/language.ts';
export type {
  Delivery, DeliveryBody, DeliveryLine, DeliveryListRow, DeliveryStatus, HeldFor, LineOutcome, Proof, ReceivedDelivery,
  StoredDelivery, TraceContext,
} from './model/delivery.ts';
export {
  AUTHOR_LOST_ACCESS, BULK_ACTIONS, type BulkAction, type BulkCounts, type BulkQuery, type BulkRun, MAX_BULK, MAX_BULK_COUNTED,
} from './model/bulk-action.ts';
export {
  type Dismissal, isOfRefusal, lastFailureOf, MAX_DISMISSAL_REASON, subjectOfEntry, subjectOfReceipt, subjectOfRejected,
} from './model/dismissal.ts';
export {
  type DownloadLinkEmail, type DownloadLinkEmailItem, LINKS_PER_MAIL, type NewDownloadLinkEmail,
  type PendingDownloadLinkEmail, type PendingDownloadLinkEmailShop,
  type DownloadLinkEmailShop,
} from './model/download-link-email.ts';
export { type DownloadLink, type DownloadPage, LINK_LIFETIME_MS, linkExpiry } from './model/download-link.ts';
export {
  classifyClient, classifyDownload, type DownloadClient, type DownloadProgress, type DownloadQuery,
  type DownloadSessionRecord, type DownloadSessionRow, type DownloadState, type FileProgress, INTERRUPTED_AFTER_MS,
  LISTED_FILES, MAX_SESSIONS_PER_LINK, type ReportedSession, type SentBytes, SESSION_PAUSE_MS,
} from './model/download-session.ts';
export {
  chooseRecipient,
  localPart,
  maskEmail,
  normalizeEmail,
  readEmail,
  readTypedEmail,
} from './model/email-address.ts';
export {
  type EraseCustomerResult, ERASED, ERASED_REASON, type Erasure, eraseIdentity, isErased, NAMING_BUYERS, REASON,
  withoutBuyers, withoutBuyersIn, withoutQuotes,
} from './model/erasure.ts';
export { suggestEmail } from './model/mistyped-email.ts';
export { DomainError, type DomainErrorCode, isDecidedMeanwhile } from './model/errors.ts';
export {
  type Invitation, INVITATION_LIFETIME_MS, type InvitationMail, type InvitationRecord, type InvitationState,
  type InvitationMailState, isPromotion, type ListedInvitation, mayGiveRoles, type PendingInvitationMail,
} from './model/invitation.ts';
export { type Job, mailReceipt } from './model/job.ts';
export {
  causeOfError, type ErrorCause, LISTED_LINES, type LogCounts, type LogEntry, type LogLine, type LogQuery, type LogSource,
  MAX_COUNTED, mayBeDismissed,
  type OpenedLogEntry, SHOWN_LINES,
  type WaitingReceipt,
} from './model/log-entry.ts';
export type { PendingEmailFacts } from './model/pending-email.ts';
export type { ClaimEnd, ExpiredClaim, MailAnswer, PostponedMail } from './model/mail-answer.ts';
export type { MailedPurchase, Mailing, NewMailing } from './model/mailing.ts';
export type { DayMetrics, DownloadCounts, DownloadDay, DownloadMetrics, TodayMetrics } from './model/metrics.ts';
export type { HeldOrder, UnmatchedCursor, UnmatchedSku } from './model/open-delivery.ts';
export type { Candidate, Order, OrderLine, TranslatedEntry, TranslatedOrder } from './model/order.ts';
export { isSameName, type Organisation } from './model/organisation.ts';
export {
  type EmailClaim, type EmailKind, type EmailMessage, type EmailOutcome, NO_ORGANISATION, type PendingEmail,
} from './model/outgoing-email.ts';
export type { EmailStatus } from './model/pending-email.ts';
export type { AddressCorrection, DecidedDelivery, KnownProduct, KnownPurchase, OrderSnapshot, Plan } from './model/plan.ts';
export {
  createPlatforms, type KnownPlatform, OUR_PLATFORMS, type Platform, PLATFORMS, type Platforms, SHARED_PLATFORM,
} from './model/platform.ts';
export {
  checkDeliverability, hasValues, MAX_FILES_IN_MAILS, nameForBuyers, normalizeSlug, type Product, PRODUCT_STATUSES,
  type ProductFile, type ProductListRow, type ProductStatus, type ProductVersion, type ProductVersionStatus,
} from './model/product.ts';
export {
  type OtherPurchase, type PurchaseDelivery, type PurchaseEvent, type PurchaseLink, type PurchaseReceipt,
  type PurchaseRecord, type PurchaseSession, RECORD_LIMIT,
} from './model/purchase-record.ts';
export {
  ALL_PURCHASES, type DeleteTestPurchaseResult, type Customer, type FoundPurchase, type Purchase, type PurchaseAlias,
  type PurchaseFilter, type PurchasePlace, type PurchaseQuery, type PurchaseRow, type ProductSum, type PurchaseSum, type PurchaseSource,
} from './model/purchase.ts';
export type {
  PendingReceipt, PendingReceiptItem, Receipt, ReceiptItem, ReceiptMail, ReceiptStatus, SentReceipt, ShownReceipt,
  ReceiptDelivery,
} from './model/receipt.ts';
export { nameRefunded, type Refund } from './model/refund.ts';
export {
  MAX_REJECTED, REJECTED_LIFETIME_MS, type RejectedDelivery, type RejectionSummary,
} from './model/rejected-delivery.ts';
export { CHALLENGE_LIFETIME_MS, isNextUse, MAX_PASSKEYS_PER_USER, type Passkey, type PasskeyChallenge } from './model/passkey.ts';
export { formatRelease, parseRelease, type Release } from './model/release.ts';
export type { AddSaleResult, NewSale } from './model/sale.ts';
export {
  FRESH_FOR_MS, isFresh, MAX_DEVICES_PER_USER, MAX_OPEN_SIGN_INS, MAX_SESSIONS_PER_USER, type NewDeviceMail,
  type OpenSignIn, type PendingNewDeviceMail, type PendingSignInMail, SIGN_IN_LIFETIME_MS, type SeenDevice,
  type SignedIn, type SignInMail, type SignInRecord, type StoredSession,
} from './model/sign-in.ts';
export type { SearchHit, SearchHitKind, SearchQuery, SearchTerms } from './model/search.ts';
export { normalizeSku, type SkuMapping } from './model/sku-mapping.ts';
export {
  type AssignableDelivery, describeAssigned, type TenantRef, type UnassignedDelivery,
} from './model/unassigned-delivery.ts';
export { refuseTeamChange, type TeamChange, type TeamRefusal } from './model/team-change.ts';
export { type Caller, type Role, ROLES, type StoredApiKey, type TeamMember, type User } from './model/user.ts';
export type { InvalidForm, InvalidInput } from './model/validation.ts';
