// The command that corrects many events at once.
import { correctionQuery } from '../../operations/corrections/bulk-corrections.ts'
import type { CommandDeclaration } from '../base/command.ts'
import { json, queryOptions, repeatedOption, requiredOption } from '../base/options.ts'

export const correctionCommands: readonly CommandDeclaration[] = [
  {
    words: 'correct',
    description: 'Change fields of many receiving events: preview, then new versions with one reason',
    options: [
      requiredOption('--reason <text>', 'why they are corrected; the history of each event shows it'),
      repeatedOption('--set <field=value>', 'fill the field where it is missing; may be repeated'),
      repeatedOption('--replace <field=value>', 'with --set or --remove: only where it has this value'),
      repeatedOption('--remove <field>', 'remove the field; needs --replace or --overwrite'),
      ['--overwrite', 'change the fields whatever their values are', false],
      ...queryOptions(correctionQuery),
      ['--undo <correction>', 'bring its events back to what stood before'],
      ['--dry-run', 'only preview', false],
      ['--yes', 'correct without asking', false],
      ['--report <file>', 'save a row for each event, as .xlsx or .csv'],
      json,
    ],
    examples: [
      'lotkeeper correct --set packStyle=Carton --reason "New box" --dry-run',
      'lotkeeper correct --replace asnNumber=A-1 --set asnNumber=B-1 --reason Typo',
      'lotkeeper correct --undo 019a3c1e-7d2b-7c4a-9f10-3a5b6c7d8e9f --reason "Wrong"',
    ],
    call: async () => (await import('./correct.ts')).correct,
  },
]
