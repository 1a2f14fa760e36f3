// Finishes a merge that needed a person: the same outputs, with choices. No agent runs again.

import { createHash } from 'node:crypto';
import path from 'node:path';
import { iso } from '../clock/clock.ts';
import { readRegular } from '../files/read-file.ts';
import { exists, readJson, writeJson } from '../files/write-file.ts';
import { ConflictReport } from '../protocol/conflicts.ts';
import { Fault } from '../protocol/fault.ts';
import type { ExecutionReport, MergeResult } from '../protocol/report.ts';
import { buildStatus } from '../run/build-status.ts';
import { placesIn } from '../run/workspace-places.ts';
import { mergeRun, type Taken, writeReport } from './finish-run.ts';
import { numberAway } from './number-away.ts';
import { holdWorkspace, openEngine } from './open-engine.ts';

export async function mergeAgain(
  workspace: string,
  taken: Taken,
): Promise<{ report: ExecutionReport; reportFile: string }> {
  const places = placesIn(workspace);
  const held = await holdWorkspace(workspace, 'baton merge');
  try {
    if (!(await exists(places.report)))
      throw new Fault('refused', 'the execution has not finished', 'wait for it, or `baton resume` it');
    const { context, record, close } = await openEngine(held, null, () => {});
    try {
      if (record.state().merge?.status !== 'conflict') {
        throw new Fault(
          'refused',
          `its merge needs no choice: it ended as ${record.state().merge?.status ?? 'unknown'}`,
          'see `baton status`',
        );
      }
      await refuseChanged(places.conflicts);
      const result = await mergeRun(context, record, { ...(await takenBefore(record.state().merge)), ...taken });
      // A report beside an event that is newer than it is written anew by the next call: nothing is lost.
      record.append({ type: 'merge_ended', agent: null, data: { result } });
      await numberAway(places.report);
      if (result.status !== 'conflict') await numberAway(places.conflicts);
      record.append({ type: 'reopened', agent: null, data: {} });
      const report = await writeReport(context, record);
      const facts = {
        now: iso(context.clock.now()),
        enginePid: process.pid,
        lastLines: new Map<string, string>(),
        claude: new Map(),
      };
      await writeJson(places.status, context.redactor.value(buildStatus(record.state(), facts)), { sync: false });
      return { report, reportFile: places.report };
    } finally {
      close();
    }
  } finally {
    held.release();
  }
}

// What was decided in an earlier call stays decided. A file that is gone by now decides nothing: it is asked again.
async function takenBefore(merge: MergeResult | null): Promise<Taken> {
  const taken: Taken = {};
  for (const { conflict, rule, chosen } of merge?.resolutions ?? []) {
    if (rule !== 'taken') continue;
    if (!path.isAbsolute(chosen)) taken[conflict] = { agent: chosen };
    else if (await exists(chosen)) taken[conflict] = { file: chosen };
  }
  return taken;
}

// The person chose between what conflicts.json shows; it must still be what lies there.
async function refuseChanged(file: string): Promise<void> {
  if (!(await exists(file))) return;
  const { conflicts } = await readJson(file, ConflictReport);
  for (const conflict of conflicts.filter(({ kind }) => kind === 'file')) {
    for (const side of conflict.sides) {
      const bytes = await readRegular(side.source).catch(() => null);
      const isSame = bytes !== null && createHash('sha256').update(bytes).digest('hex') === side.sha256;
      if (isSame) continue;
      throw new Fault(
        'refused',
        `${side.source} is not what it was when the conflict was found`,
        `restore it from ${side.kept_at}, then merge again`,
      );
    }
  }
}
