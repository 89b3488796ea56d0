/** What holds for every endpoint, in Markdown. */
export function describeApi(siteUrl: string): string {
  return `Handover delivers digital products on behalf of an organisation. Every address below is relative to \`${siteUrl}\`.

Send the API key of a user as \`Authorization: Bearer <key>\`, or bare as \`X-API-Key: <key>\`. A key has the role of its user: members work with products, versions, files and downloads; purchases, reports, the webhook log and mappings need an owner or admin.

JSON endpoints answer errors with \`{"error": "…"}\`, the purchase form with an HTML fragment, reports with plain text. Times are ISO 8601 in UTC; amounts are exact decimal text. Lists are bare arrays and hold every row, unless they say otherwise. Ids that are unknown, malformed or another organisation’s answer 404.

Operations marked \`x-handover-addition\` are not in the interface specification: they were added by Handover.`;
}
