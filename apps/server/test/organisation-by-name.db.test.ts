import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { shareInFile } from '../../../test/undo.ts';
import { buildProgram } from '../src/cli/program.ts';
import { type Environment, runCliForJson, runCliHere } from './support/server-process.ts';
import { makeOwnerEmail } from './support/shared-server.ts';
import { makeInstallation } from './support/shop.ts';

const installation = shareInFile(
  async (): Promise<Environment> => ({
    ...(await makeInstallation({ url: 'smtp://127.0.0.1:25' })),
    PORT: '3000',
  }),
);

async function addOrganisation(name: string): Promise<string> {
  const words = ['org', 'create', '--name', name, '--owner-email', makeOwnerEmail()];
  return (await runCliForJson<{ orgId: string }>(installation(), words)).orgId;
}

describe('--org', () => {
  it('takes a name, in capitals or not, and the next command has the id', async () => {
    const id = await addOrganisation('Größe Audio');
    const words = ['product', 'create', '--org', ' gröSSE audio', '--name', 'Pads'];
    expect((await runCliHere(installation(), words)).stderr).toMatch(/not an organisation/);
    const created = await runCliHere(installation(), words.with(3, ' GRÖßE audio'));
    expect([created.code, created.stderr]).toEqual([0, '']);
    expect(created.stdout).toContain(`product upload FILE --org ${id} --product pads`);
  });

  it('takes an id before a name that looks like it', async () => {
    const id = await addOrganisation('Echo');
    await addOrganisation(id);
    const listed = await runCliHere(installation(), ['product', 'list', '--org', id.toUpperCase()]);
    expect(listed.stdout).toContain(`product create --org ${id} `);
  });

  it('is refused without a match, and org list is named', async () => {
    const refused = await runCliHere(installation(), ['sku', 'list', '--org', 'Nobody Audio']);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^--org Nobody Audio is not an organisation of this installation: give its name or its id\..*org list\n$/s,
      ),
    });
  });

  it('shows ten organisations of one name, and where the others are', async () => {
    const ids = [];
    for (let count = 0; count < 11; count += 1) ids.push(await addOrganisation('Choir'));
    const { stderr } = await runCliHere(installation(), ['user', 'list', '--org', 'choir']);
    expect(ids.filter((id) => stderr.includes(id))).toEqual(ids.slice(0, 10));
    expect(stderr).toMatch(/More are in:\n.* org list\n$/);
  });

  it('lists the ids of several of one name, whichever command has it', async () => {
    const ids = [await addOrganisation('Twin Audio'), await addOrganisation('TWIN AUDIO')];
    const commands = listCommands(buildProgram({})).filter(takesOrganisation);
    expect(commands.length).toBeGreaterThan(12);
    for (const command of commands) {
      const refused = await runCliHere(installation(), fillIn(command, 'twin audio'));
      expect([nameOf(command), refused.code, refused.stderr]).toEqual([
        nameOf(command),
        1,
        expect.stringMatching(/^--org twin audio is the name of several organisations\. Give the id /),
      ]);
      expect(ids.filter((id) => !refused.stderr.includes(id))).toEqual([]);
    }
  });
});

function listCommands(command: Command): readonly Command[] {
  return command.commands.flatMap((child) => [child, ...listCommands(child)]);
}

/** `import` has that of an export: it is not in this installation yet. */
function takesOrganisation(command: Command): boolean {
  return command.name() !== 'import' && command.options.some(({ long }) => long === '--org');
}

function nameOf(command: Command): string {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** The command with this organisation, and any value for whatever else it must have. */
function fillIn(command: Command, org: string): readonly string[] {
  const value = (name: string) => (name === 'platform' ? 'storefront-a' : 'x');
  const others = command.options.filter(({ mandatory, long }) => mandatory && long !== '--org');
  return [
    ...nameOf(command).split(' '),
    ...command.registeredArguments.map((argument) => value(argument.name())),
    '--org',
    org,
    ...others.flatMap((option) => [`--${option.name()}`, value(option.name())]),
  ];
}
