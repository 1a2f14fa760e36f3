// Puts inputs and outputs back to how they were before the first agent started.

import { rollbackCheckpoint } from '../checkpoint/restore-checkpoint.ts';
import { exists } from '../files/write-file.ts';
import { Fault } from '../protocol/fault.ts';
import { placesIn } from '../run/workspace-places.ts';
import { coveredPlaces } from './finish-run.ts';
import { holdWorkspace, openEngine } from './open-engine.ts';

export async function rollbackExecution(workspace: string): Promise<{ restored: string[] }> {
  const { checkpointFile: file } = placesIn(workspace);
  const held = await holdWorkspace(workspace, 'baton rollback');
  try {
    if (!(await exists(file))) {
      throw new Fault(
        'refused',
        `${workspace} has no checkpoint`,
        'set execution_options.checkpoint_enabled before the run',
      );
    }
    const { context, record, close } = await openEngine(held, null, () => {});
    try {
      const open = [...record.state().agents.values()].filter(run => 'now' in run.state);
      if (record.state().ended === null && open.length > 0) {
        throw new Fault(
          'refused',
          'the execution was left with agents running',
          '`baton resume` or `baton cancel` it first',
        );
      }
      const { restored } = await rollbackCheckpoint({
        workspace,
        covered: coveredPlaces(context),
        roots: context.roots,
        file,
      });
      record.append({ type: 'rolled_back', agent: null, data: { restored } });
      return { restored };
    } finally {
      close();
    }
  } finally {
    held.release();
  }
}
