// `baton schema`: the JSON Schema of one protocol file, made from its zod schema.

import { jsonSchemaFor, schemaNames } from '../../protocol/describe.ts';
import { exitCodes, Fault } from '../../protocol/fault.ts';
import type { CommandInput } from '../command-spec.ts';
import { didYouMean } from '../did-you-mean.ts';
import { jsonText } from '../json-text.ts';

export async function run(input: CommandInput): Promise<number> {
  const wanted = input.args[0]!;
  const name = schemaNames.find(known => known === wanted);
  if (name === undefined) {
    const hint = didYouMean(wanted, schemaNames) ?? `the schemas are: ${schemaNames.join(', ')}`;
    throw new Fault('invalid', `there is no schema "${wanted}"`, hint);
  }
  input.say(jsonText(jsonSchemaFor(name)));
  return exitCodes.success;
}
