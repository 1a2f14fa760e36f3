// Every word Baton says to an agent. The role and the contract go into the system prompt, which survives
// /clear; the task, with its absolute paths, is the first prompt.

import type { TaskFile } from '../protocol/agent.ts';

export function systemPrompt(task: TaskFile, role: string): string {
  const parts = [
    role.trim(),
    [
      `BATON_AGENT: ${task.agent_name}`,
      `BATON_ATTEMPT: ${task.attempt}`,
      `You are the agent "${task.agent_name}" of the execution ${task.execution_id}, run by Baton.`,
      'Nobody watches you all the time: do not wait for confirmation, finish the task by yourself.',
      'Your work counts only by what is on the disk. You are done when every output exists at exactly its path',
      'and, last of all, the result file is written. Baton checks both and runs its own checks.',
      'Never write a result you did not reach: report a failure as a failure.',
    ].join('\n'),
  ];
  return parts.filter(part => part !== '').join('\n\n');
}

export function taskPrompt(task: TaskFile): string {
  return [
    `Task: ${task.description}`,
    list(
      'Inputs (read only)',
      Object.entries(task.inputs).map(([name, path]) => `input "${name}": ${path}`),
    ),
    list(
      'Write these outputs',
      Object.entries(task.outputs).map(([name, path]) => `output "${name}": ${path}`),
    ),
    list(
      'Success criteria',
      Object.entries(task.success_criteria).map(([name, want]) => `criterion "${name}": ${JSON.stringify(want)}`),
    ),
    contractOf(task),
  ]
    .filter(part => part !== '')
    .join('\n\n');
}

// A session that died left no conversation: what is known of its work is in a document.
export const recoveryPrompt = (task: TaskFile, document: string): string =>
  [
    'You go on with work that an earlier session of yours could not finish (reason: error recovery).',
    `Read ${document} first: Baton wrote it from files and messages; check its statements before you rely on them.`,
    `Then go on with the task. It is still this one:\n\n${taskPrompt(task)}`,
  ].join('\n');

export function nudgePrompt(task: TaskFile, complaints: readonly string[]): string {
  return [
    'Baton looked at your work and it is not complete yet:',
    complaints.map(complaint => `- ${complaint}`).join('\n'),
    `Please mend exactly this. ${contractOf(task)}`,
  ].join('\n\n');
}

// With the whole task: whether a prompt that failed stays in the conversation is the program's affair, not ours.
export const againPrompt = (task: TaskFile): string =>
  [
    'The last request to the model failed and may not have been carried out.',
    `Please go on with the task where you were. It is still this one:\n\n${taskPrompt(task)}`,
  ].join(' ');

function contractOf(task: TaskFile): string {
  const names = Object.keys(task.success_criteria);
  const criteria = names.length === 0 ? '{}' : `{${names.map(name => `"${name}": <what you measured>`).join(', ')}}`;
  return [
    `When all outputs are written, write the result file as JSON.`,
    `Result file: ${task.result_file}`,
    `Its form: {"status": "success" or "failure", "summary": "<one or two sentences>", "criteria": ${criteria}}`,
  ].join('\n');
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${title}:\n${lines.map(line => `- ${line}`).join('\n')}`;
}
