// Walks that bring up dialogs, panels of commands, errors and limits.

const BOX = /❯\u00a0/;
const DONE = /done \d|Answered|All done/;

export const questionWalks = {
  async dialogs(open, { pause }) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(1000);
    const refuse = async () => {
      pane.keys('Escape');
      await pause(1000);
    };
    await pane.send('[[BASH touch made.txt]]');
    await pane.until(/proceed\?/);
    await pane.settle(500);
    pane.snap('permission-bash');
    pane.keys('Down');
    await pane.settle(300);
    pane.snap('permission-bash-second-option');
    pane.keys('Tab');
    await pane.settle(400);
    pane.snap('permission-bash-amend');
    await refuse();
    await refuse();
    pane.snap('idle-after-refusal');
    await pane.send('[[WRITE]]');
    await pane.until(/Do you want/);
    await pane.settle(500);
    pane.snap('permission-write');
    await refuse();
    await pane.send('[[EDIT]]');
    await pane.until(/Do you want/);
    await pane.settle(500);
    pane.snap('permission-edit');
    await refuse();
    await pane.send('[[FETCH]]');
    await pane.until(/Do you want|allow/);
    await pane.settle(500);
    pane.snap('permission-fetch');
    await refuse();
    await pane.send('[[ASK]]');
    await pane.until(/Which colour/);
    await pane.settle(500);
    pane.snap('question');
    pane.keys('Down');
    await pane.settle(300);
    pane.snap('question-second-option');
    pane.keys('Down');
    await pause(200);
    pane.type('green');
    await pane.settle(300);
    pane.snap('question-typed-answer');
    await refuse();
    await refuse();
    await pane.send('[[ASKMANY]]');
    await pane.until(/Which colours/);
    await pane.settle(500);
    pane.snap('question-many');
    await refuse();
    await refuse();
    await pane.send('[[PLAN]]');
    await pane.until(/plan/i);
    await pane.settle(1500);
    pane.snap('plan-outside-plan-mode');
    await refuse();
    for (const mode of ['accept-edits', 'plan']) {
      pane.keys('BTab');
      await pane.settle(700);
      pane.snap(`idle-mode-${mode}`);
    }
    await pane.send('[[PLAN]]');
    await pane.until(/Would you like|proceed|Ready/i);
    await pane.settle(1500);
    pane.snap('plan');
    await refuse();
    await pane.send('[[PLANFILE]]');
    await pane.settle(3500);
    pane.snap('plan-with-file');
    await refuse();
    pane.keys('BTab');
    await pane.settle(700);
    pane.snap('idle-mode-after-plan');
    pane.close();
  },

  async commands(open, { pause }) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(1000);
    for (const name of [
      'help',
      'config',
      'model',
      'permissions',
      'context',
      'status',
      'resume',
      'agents',
      'mcp',
      'theme',
    ]) {
      await pane.send(`/${name}`);
      await pane.settle(1500);
      pane.snap(`command-${name}`);
      // Never twice: that would open the rewind dialog.
      pane.keys('Escape');
      await pause(900);
      pane.keys('C-c');
      await pause(2400);
    }
    await pane.send('/nosuchcommand');
    await pane.settle(1200);
    pane.snap('idle-unknown-command');
    await pane.send('hello');
    await pane.until(DONE);
    await pause(800);
    await pane.send('/compact');
    await pane.settle(2500);
    pane.snap('compacting');
    await pane.until(/Compacted/, { limit: 20_000 });
    await pane.settle(1000);
    pane.snap('idle-after-compact');
    await pane.send('/rename my-session');
    await pane.settle(1200);
    pane.snap('idle-named-session');
    await pane.send('/clear');
    await pane.settle(1500);
    pane.snap('idle-after-clear');
    pane.close();
  },

  async errors(open, { pause }) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(1000);
    for (const status of [529, 429, 500, 401, 400, 403]) {
      await pane.send(`[[ERR ${status}]]`);
      await pause(900);
      pane.snap(`error-${status}-soon`);
      await pane.until(/esc to interrupt|retrying/, { not: true, limit: 30_000 });
      await pane.settle(1200);
      pane.snap(`error-${status}`);
      pane.keys('C-u');
      await pause(300);
    }
    pane.close();
    const deaf = await open({ env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' } });
    await deaf.until(BOX);
    await deaf.settle(1000);
    await deaf.send('conn refused');
    await pause(1200);
    deaf.snap('error-connection-soon');
    await deaf.until(/API Error/, { limit: 30_000 });
    await deaf.settle(1200);
    deaf.snap('error-connection');
    deaf.close();
  },

  async limit(open, { pause }) {
    const pane = await open({ env: { DISABLE_AUTO_COMPACT: '1', CLAUDE_CODE_DISABLE_1M_CONTEXT: '1' } });
    await pane.until(BOX);
    await pane.settle(1000);
    await pane.send('[[USAGE 178500]]');
    await pane.settle(1500);
    await pane.send('one more');
    await pane.settle(1500);
    pane.snap('context-limit');
    await pause(4000);
    pane.snap('context-limit-later');
    pane.close();
  },
};
