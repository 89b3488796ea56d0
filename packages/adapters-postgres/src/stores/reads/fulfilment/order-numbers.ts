import { isTail, normalizeOrderNumber, SHARED_PLATFORM } from '@handover/domain';
import { type RawBuilder, sql } from 'kysely';

/** Whether a row of purchases or deliveries is of an order that the text may name. `platform`: the column of the platform. */
export function isOfOrder(text: string, platform: RawBuilder<unknown>): readonly RawBuilder<unknown>[] {
  const number = normalizeOrderNumber(text);
  return number === '' ? [] : hasOrderNumber(number, platform);
}

/** Whether an order's number or id begins with a normalized number, or a long id ends with it: each has an index. */
export function hasOrderNumber(
  number: string,
  platform: RawBuilder<unknown>,
): readonly RawBuilder<unknown>[] {
  return [
    sql`${hasOwnNumber} and ${beginsWith(sql`lower(ltrim(order_number, '#'))`, number)}`,
    beginsWith(sql`lower(order_id)`, number),
    ...(isTail(number)
      ? [
          sql`${platform} = ${sql.lit(SHARED_PLATFORM)}
            and ${beginsWith(sql`reverse(lower(order_id))`, [...number].reverse().join(''))}`,
        ]
      : []),
  ];
}

/** An order without a number is found by its id. The index of order numbers contains no others. */
export const hasOwnNumber: RawBuilder<unknown> = sql`
  order_number is not null and lower(ltrim(order_number, '#')) is distinct from lower(order_id)
`;

export function beginsWith(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  return sql`${column} like ${`${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}
