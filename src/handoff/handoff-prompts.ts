// Every word the watchdog says to an agent. The last line of each is its mark: by it a prompt is found again in
// receipts and transcript, so that a restarted watchdog never says it twice.

import type { HandoffReason } from '../protocol/handoff.ts';
import type { DocumentProblem, Handoff, Purpose, Rules } from './handoff-types.ts';

export const idLine = (id: string): string => `Handoff-Id: ${id}`;
export const markLine = (mark: string): string => `Baton-Message: ${mark}`;
export const COMMIT_SUBJECT = 'docs: orchestrator handoff checkpoint';
export const commitMessage = (id: string): string => `${COMMIT_SUBJECT}\n\n${idLine(id)}\n`;

type Words = Pick<Rules, 'documentPath' | 'templatePath' | 'task' | 'sizeThreshold'>;

const because: Record<HandoffReason, string> = {
  'context threshold': 'your context is nearly full',
  manual: 'a handoff was asked for by hand',
  'error recovery': 'the session must be started anew after an error',
};

export function askPrompt(
  purpose: Purpose,
  handoff: Pick<Handoff, 'id' | 'reason' | 'archived' | 'tokensBefore'>,
  mark: string,
  words: Words,
  problems: readonly DocumentProblem[],
): string {
  const body = { handoff: first, correction, shorter, update, again }[purpose];
  return [...body({ handoff, words, problems }), markLine(mark)].join('\n');
}

type Given = {
  handoff: Pick<Handoff, 'id' | 'reason' | 'archived' | 'tokensBefore'>;
  words: Words;
  problems: readonly DocumentProblem[];
};

function first({ handoff, words }: Given): string[] {
  const old = handoff.archived.at(-1);
  return [
    `Please hand over your work now: ${because[handoff.reason]}. Your session will be cleared afterwards, and you go on`,
    'from the document you write here. What is not in it is lost to you.',
    `Reason: ${handoff.reason}`,
    `Context at handoff: ${handoff.tokensBefore ?? 'not known'}`,
    `Document to write: ${words.documentPath}`,
    `Template with its sections: ${words.templatePath}`,
    ...(old === undefined
      ? []
      : [
          `The old document was long, or held both sides of a merge conflict, and is kept at ${old};`,
          'begin a fresh one from the template, with what still counts of it.',
        ]),
    'Fill every section of the template (where there is nothing to say, write "none" and why), leave no placeholder,',
    `write no secret, stay under ${words.sizeThreshold} lines, and put this line into the document as it stands:`,
    idLine(handoff.id),
    'Only write the document: do not commit it and do not run /clear. Then end your turn.',
  ];
}

function correction({ handoff, words, problems }: Given): string[] {
  return [
    `The handoff document ${words.documentPath} cannot be used yet:`,
    ...problems
      .slice(0, 12)
      .map(({ section, problem }) => `- ${section === null ? '' : `section "${section}": `}${problem}`),
    `Please mend exactly this in ${words.documentPath} (template: ${words.templatePath}), keep this line in it, and end your turn:`,
    idLine(handoff.id),
  ];
}

function shorter({ handoff, words }: Given): string[] {
  return [
    `The handoff document is over ${words.sizeThreshold} lines. The long one is kept at ${handoff.archived.at(-1) ?? 'the archive'}.`,
    `Please write a shorter one to ${words.documentPath} (template: ${words.templatePath}): what the next session needs`,
    'to go on, and where to find the rest. Put this line into it, and end your turn:',
    idLine(handoff.id),
  ];
}

function update({ handoff, words }: Given): string[] {
  return [
    `There was more work in this session after you wrote ${words.documentPath}.`,
    `Please bring the document up to date (template: ${words.templatePath}), keep this line in it, and end your turn:`,
    idLine(handoff.id),
  ];
}

function again({ handoff, words }: Given): string[] {
  return [
    'The last request to the model failed and may not have been carried out.',
    `Please write the handoff document ${words.documentPath} as asked (template: ${words.templatePath}), with this line, and end your turn:`,
    idLine(handoff.id),
  ];
}

export function resumePrompt(handoff: Pick<Handoff, 'id' | 'author' | 'reason'>, mark: string, words: Words): string {
  return [
    `You go on with work that was handed over from an earlier session of yours (reason: ${handoff.reason}).`,
    `Read ${words.documentPath} first: it holds the state of the work.`,
    ...(handoff.author === 'watchdog'
      ? ['It was put together by the watchdog from files and messages: check its statements before you rely on them.']
      : []),
    `Task at hand: ${words.task}`,
    'Then go on with its next actions. Do not write the handoff document again now.',
    idLine(handoff.id),
    markLine(mark),
  ].join('\n');
}
