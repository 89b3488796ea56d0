import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A unit of systemd: for each section, every line of a key, in order. */
export type Unit = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export function parseUnit(text: string): Unit {
  const unit: Record<string, Record<string, string[]>> = {};
  let section: Record<string, string[]> = {};
  for (const line of text.split('\n')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name !== undefined) {
      section = {};
      unit[name] = section;
    }
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) section[key] = [...(section[key] ?? []), value];
  }
  return unit;
}

/** Variables of an environment file, as systemd and sh both read it: `NAME="value"`. */
export function parseEnvironmentFile(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', , value = ''] = /^(\w+)=("?)(.*)\2$/.exec(line) ?? [];
      return [name, value];
    }),
  );
}

export interface Service {
  readonly image: string;
  readonly build?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly profiles?: readonly string[];
  readonly networks?: unknown;
}

export function readCompose(deploy: string): { readonly services: Readonly<Record<string, Service>> } {
  return parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true });
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:?why}` of compose.yaml, and `$$`. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$(?:\$|\{(\w+)(?::([-?])([^}]*))?\})/g, (_all, name, kind, rest) => {
    if (name === undefined) return '$';
    const value = variables[name] || (kind === '-' ? rest : undefined);
    if (value === undefined) throw new Error(`${name} is not set`);
    return value;
  });
}

/** The instructions of the last stage of a Dockerfile: of the image. */
export function readImage(deploy: string): readonly { readonly name: string; readonly words: string }[] {
  const text = readFileSync(join(deploy, 'Dockerfile'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.findLastIndex((line) => line.startsWith('FROM '));
  return lines.slice(last).map((line) => {
    const [, name = '', words = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return { name, words };
  });
}

/** `NAME=value NAME=value`. */
export function parseAssignments(words: string): Readonly<Record<string, string>> {
  return Object.fromEntries(words.split(' ').map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}
