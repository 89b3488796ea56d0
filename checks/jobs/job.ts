import type { Installation } from './installation.ts';
import type { Person } from './person.ts';

/** One thing that people come for. */
export interface Job {
  readonly name: string;
  /** More clicks than this are too many: pressed buttons and links, chosen options and files. */
  readonly maxClicks: number;
  /** What others did before; it is neither counted nor timed. Returns the address at which the person begins. */
  readonly prepare?: (installation: Installation) => Promise<string | undefined>;
  readonly work: (person: Person, installation: Installation) => Promise<void>;
}
