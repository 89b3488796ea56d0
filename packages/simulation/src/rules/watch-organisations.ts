import { NO_ORGANISATION } from '@handover/domain';
import { createMemory, type Memory } from '@handover/domain/memory';

/** Checks that no call crosses organisations: what each call for one of them reads and writes. */
export interface OrganisationWatch {
  readonly memory: Memory;
  /** Runs a call. If its first argument is an organisation, everything that it touches must belong to it. */
  watch<Answer>(call: string, given: readonly unknown[], apply: () => Promise<Answer>): Promise<Answer>;
  /** The organisations whose rows were written since the last call. */
  takeChanged(): ReadonlySet<string>;
  /** The number of watched calls. */
  countCalls(): number;
}

/** An invitation names the other organisation of its user: by that, it is refused. */
const TELLS_OF_OTHERS = 'memberOf';
const EVERYONE = 'everyone';

export function watchOrganisations(report: (problem: string) => void): OrganisationWatch {
  const owners = createOwners();
  let calls = 0;
  let changed = new Set<string>();
  let scope: string | null = null;
  let calling = '';

  const look = (row: unknown, isRemoved: boolean) => {
    if (typeof row !== 'object' || row === null || !('orgId' in row) || typeof row.orgId !== 'string') return;
    if (scope !== null && row.orgId !== scope)
      report(`${calling} of ${scope} ${isRemoved ? 'removed' : 'wrote'} a row of ${row.orgId}`);
    // A row without an organisation may concern several.
    if (row.orgId === NO_ORGANISATION) return;
    changed.add(row.orgId);
    owners.add(row, row.orgId);
  };

  return {
    memory: createWatchedMemory(look),
    countCalls: () => calls,
    takeChanged: () => {
      const taken = changed;
      changed = new Set();
      return taken;
    },
    watch: async (call, given, apply) => {
      const [orgId] = given;
      if (typeof orgId !== 'string' || !owners.isOrganisation(orgId)) return apply();
      calls += 1;
      scope = orgId;
      calling = call;
      // In memory, a call does everything at once, unless it waits for a transaction.
      let answering: ReturnType<typeof apply>;
      try {
        answering = apply();
      } finally {
        scope = null;
      }
      const answer = await answering;
      const foreign = owners.findForeign(answer, orgId);
      if (foreign !== null) report(`${call} of ${orgId} answered with ${foreign}`);
      return answer;
    },
  };
}

/** The owner of each id and each secret. An organisation owns its own id. */
function createOwners() {
  const owners = new Map<unknown, string>();

  const findForeign = (value: unknown, orgId: string): string | null => {
    if (typeof value === 'string') {
      const owner = owners.get(value);
      return owner === undefined || owner === orgId || owner === EVERYONE ? null : value;
    }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || value instanceof Date)
      return null;
    for (const [name, member] of Object.entries(value)) {
      const found = name === TELLS_OF_OTHERS ? null : findForeign(member, orgId);
      if (found !== null) return found;
    }
    return null;
  };

  return {
    isOrganisation: (orgId: string) => owners.get(orgId) === orgId,
    findForeign,
    add: (row: object, orgId: string): void => {
      owners.set(orgId, orgId);
      if ('id' in row) owners.set(row.id, orgId);
      if (!('secrets' in row && Array.isArray(row.secrets))) return;
      for (const { secret } of row.secrets) {
        const owner = owners.get(secret) ?? orgId;
        // Two of them may have chosen the same.
        owners.set(secret, owner === orgId ? owner : EVERYONE);
      }
    },
  };
}

type Look = (row: unknown, isRemoved: boolean) => void;

class WatchedTable extends Map<string, unknown> {
  readonly #look: Look;

  constructor(look: Look) {
    super();
    this.#look = look;
  }

  override set(key: string, row: unknown): this {
    this.#look(row, false);
    return super.set(key, row);
  }

  override delete(key: string): boolean {
    this.#look(this.get(key), true);
    return super.delete(key);
  }
}

function createWatchedMemory(look: Look): Memory {
  const tables = Object.keys(createMemory()).map((name) => [name, new WatchedTable(look)]);
  return Object.fromEntries(tables) as Memory;
}
