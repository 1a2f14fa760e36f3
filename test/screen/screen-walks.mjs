// The walks of capture-screens.mjs: what a person would do to bring up each screen. A walk opens panes and
// snaps them; the label says what the screen is meant to be, EXPECTED.json says what it is.

const BOX = /❯\u00a0/;
const IDLE = BOX;
const DONE = /done \d|Answered|All done/;

export const walks = {
  async ordinary(open, { pause }) {
    const pane = await open({});
    await pane.until(IDLE);
    await pane.settle(1500);
    pane.snap('idle-new');
    await pane.send('hello one');
    await pane.until(DONE);
    await pane.settle(1200);
    pane.snap('idle-after-turn');
    pane.type('a draft of one line');
    await pane.settle(500);
    pane.snap('draft-one-line');
    pane.keys('Home');
    await pane.settle(300);
    pane.snap('draft-cursor-at-start');
    pane.keys('End');
    pane.type('\\');
    pane.keys('Enter');
    await pause(200);
    pane.type('its second line');
    await pane.settle(500);
    pane.snap('draft-two-lines');
    pane.keys('C-c');
    await pane.settle(300);
    pane.snap('ctrl-c-cleared-draft');
    await pause(2500);
    pane.paste(Array.from({ length: 60 }, (_, line) => `pasted line ${line}`).join('\n'));
    await pane.settle(600);
    pane.snap('paste-collapsed');
    pane.keys('C-c');
    await pause(2500);
    pane.type(`a very long draft ${'that goes on and on '.repeat(20)}`);
    await pane.settle(500);
    pane.snap('draft-wrapped');
    pane.keys('C-c');
    await pause(2500);
    pane.type('   ');
    await pane.settle(400);
    pane.snap('draft-of-blanks');
    pane.keys('C-c');
    await pause(2500);
    pane.type('/');
    await pane.settle(700);
    pane.snap('slash-menu');
    pane.type('clear');
    await pane.settle(500);
    pane.snap('slash-menu-clear');
    pane.keys('C-c');
    await pause(2500);
    pane.type('@');
    await pane.settle(800);
    pane.snap('at-menu');
    pane.keys('C-c');
    await pause(2500);
    pane.type('!');
    await pane.settle(500);
    pane.snap('shell-mode-empty');
    pane.type('ls -l');
    await pane.settle(400);
    pane.snap('shell-mode-draft');
    pane.keys('C-c');
    await pane.settle(300);
    pane.keys('Escape');
    await pause(2500);
    pane.type('?');
    await pane.settle(500);
    pane.snap('shortcuts-help');
    pane.keys('Escape');
    await pause(1500);
    pane.snap('idle-after-help');
    pane.keys('Escape');
    await pause(150);
    pane.keys('Escape');
    await pane.settle(800);
    pane.snap('rewind');
    pane.keys('Escape');
    await pause(800);
    pane.keys('C-r');
    await pane.settle(700);
    pane.snap('history-search');
    pane.keys('Escape');
    await pause(600);
    pane.keys('C-c');
    await pane.settle(250);
    pane.snap('ctrl-c-armed');
    await pause(2500);
    pane.keys('C-d');
    await pane.settle(250);
    pane.snap('ctrl-d-armed');
    await pause(2500);
    pane.keys('C-o');
    await pane.settle(700);
    pane.snap('transcript');
    pane.keys('C-o');
    await pause(900);
    pane.keys('Left');
    await pane.settle(700);
    pane.snap('left-for-agents');
    pane.keys('Escape');
    await pause(700);
    pane.keys('Down');
    await pane.settle(500);
    pane.snap('down-in-empty-box');
    pane.keys('Escape');
    await pause(500);
    pane.type('stashed text');
    await pause(300);
    pane.keys('C-s');
    await pane.settle(500);
    pane.snap('draft-stashed');
    pane.close();
  },

  async busy(open, { pause }) {
    const pane = await open({});
    await pane.until(IDLE);
    await pane.settle(1000);
    await pane.send('[[SLOW 12]]');
    await pause(150);
    pane.snap('busy-first-moment');
    await pane.settle(1500);
    pane.snap('busy-streaming');
    pane.type('typed while busy');
    await pane.settle(500);
    pane.snap('busy-with-draft');
    pane.keys('Enter');
    await pane.settle(600);
    pane.snap('busy-with-queued-message');
    pane.type('/');
    await pane.settle(600);
    pane.snap('busy-with-slash-menu');
    pane.keys('C-u');
    pane.keys('BSpace');
    await pane.settle(500);
    pane.type('?');
    await pane.settle(500);
    pane.snap('busy-with-help');
    pane.keys('BSpace');
    await pause(300);
    pane.keys('C-o');
    await pane.settle(500);
    pane.snap('busy-transcript');
    pane.keys('C-o');
    await pause(400);
    await pane.until(/Answered: typed/, { limit: 20_000 });
    await pane.settle(1000);
    pane.snap('idle-after-queued');
    await pane.send('[[HANG 8]]');
    await pane.settle(1500);
    pane.snap('busy-no-token-yet');
    await pane.until(/late/);
    await pause(800);
    await pane.send('[[SLOW 6]] stop me');
    await pane.settle(1600);
    pane.keys('Escape');
    await pane.settle(700);
    pane.snap('interrupted');
    await pane.send('[[QUOTE]]');
    await pane.until(/retrying in|99%/);
    await pane.settle(1500);
    pane.snap('idle-prose-quotes-screens');
    await pane.send('[[LONG 70]]');
    await pane.until(/line 69/);
    await pane.settle(1500);
    pane.snap('idle-after-long-answer');
    pane.keys('PPage');
    await pane.settle(600);
    pane.snap('scrolled-up');
    pane.keys('NPage');
    await pause(300);
    await pane.send('[[TODO]]');
    await pane.settle(2500);
    pane.snap('idle-with-task-list');
    pane.close();
  },

  async dialogs(open, { pause }) {
    const pane = await open({});
    await pane.until(IDLE);
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
    await pane.until(IDLE);
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
    await pane.until(IDLE);
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
    await deaf.until(IDLE);
    await deaf.settle(1000);
    await deaf.send('conn refused');
    await pause(1200);
    deaf.snap('error-connection-soon');
    await deaf.until(/API Error/, { limit: 30_000 });
    await deaf.settle(1200);
    deaf.snap('error-connection');
    deaf.close();
  },

  async starts(open, { pause }) {
    const special = async (label, options, ms = 3500) => {
      const pane = await open(options);
      await pane.settle(ms);
      pane.snap(label);
      return pane;
    };
    const trust = await special('trust', { seed: { projects: {} } });
    trust.close();
    const key = await special('api-key', { seed: { customApiKeyResponses: { approved: [], rejected: [] } } });
    key.close();
    const bypass = await special('bypass', {
      seed: { bypassPermissionsModeAccepted: false },
      args: ['--dangerously-skip-permissions'],
    });
    bypass.close();
    const bypassed = await special('idle-mode-bypass', { args: ['--dangerously-skip-permissions'] });
    bypassed.close();
    const mcp = await special('mcp-one', {
      files: { '.mcp.json': JSON.stringify({ mcpServers: { one: { command: 'cat' } } }) },
    });
    mcp.close();
    const many = await special('mcp-two', {
      files: { '.mcp.json': JSON.stringify({ mcpServers: { one: { command: 'cat' }, two: { command: 'cat' } } }) },
    });
    many.close();
    const fresh = await open({ seed: { hasCompletedOnboarding: false, theme: undefined, projects: {} } });
    await pause(1200);
    fresh.snap('onboarding-soon');
    await fresh.settle(4000);
    fresh.snap('onboarding-later');
    fresh.close();
    const login = await special('no-key', { env: { ANTHROPIC_API_KEY: '' } });
    await login.send('hello');
    await login.settle(1500);
    login.snap('no-key-after-prompt');
    await login.send('/login');
    await login.settle(1500);
    login.snap('login');
    login.close();
    const auto = await special('idle-mode-auto', { settings: { permissions: {} } });
    auto.close();
    const bare = await special('idle-no-status-line', { settings: { statusLine: undefined } });
    bare.close();
    const three = await special('idle-three-status-rows', {
      settings: {
        statusLine: {
          type: 'command',
          command:
            "printf 'Model: Opus 5.5 | Ctx: 45.2k | Ctx: 23.0%%\\ncwd: repo | main\\ncontext: 45.2k tokens (23%%)\\n'",
        },
      },
    });
    three.close();
    const lines = {
      'context-new': 'context: new',
      comma: 'Ctx: 45,2k / 200k (22,6 %%)',
      plain: 'Opus 5.5 | context: 45213 tokens (23%%) | main',
    };
    for (const [label, line] of Object.entries(lines)) {
      const status = { type: 'command', command: `printf '${line}'`, padding: 0 };
      const pane = await special(`idle-status-${label}`, { settings: { statusLine: status } }, 2500);
      pane.close();
    }
    for (const theme of ['light', 'dark-daltonized', 'light-daltonized', 'dark-ansi', 'light-ansi']) {
      const pane = await open({ seed: { theme }, settings: { theme } });
      await pane.until(BOX);
      await pane.settle(1000);
      pane.snap(`idle-theme-${theme}`);
      await pane.send('[[SLOW 5]]');
      await pane.settle(1500);
      pane.snap(`busy-theme-${theme}`);
      pane.keys('Escape');
      await pause(500);
      await pane.send('[[ERR 401]]');
      await pane.settle(2500);
      pane.snap(`error-401-theme-${theme}`);
      pane.close();
    }
  },

  async vim(open, { pause }) {
    const pane = await open({ settings: { editorMode: 'vim' }, seed: { editorMode: 'vim' } });
    await pane.until(BOX);
    await pane.settle(1500);
    pane.snap('vim-insert');
    pane.keys('Escape');
    await pane.settle(600);
    pane.snap('vim-normal');
    pane.type('i');
    await pause(300);
    pane.type('vim draft');
    await pane.settle(400);
    pane.snap('vim-insert-draft');
    pane.keys('Escape');
    await pane.settle(500);
    pane.snap('vim-normal-draft');
    pane.type('v');
    await pane.settle(400);
    pane.snap('vim-visual');
    pane.keys('Escape');
    await pause(300);
    pane.type('dd');
    await pane.settle(400);
    pane.snap('vim-normal-emptied');
    pane.close();
    const forced = await open({ settings: { editorMode: 'normal' }, seed: { editorMode: 'vim' } });
    await forced.until(BOX);
    await forced.settle(1500);
    forced.snap('idle-vim-overruled');
    forced.close();
  },

  async ends(open) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(1200);
    await pane.send('hello');
    await pane.until(DONE);
    await pane.send('/exit');
    await pane.settle(2000);
    pane.snap('exited-dead-pane');
    pane.close();
    const shell = await open({ after: 'exec bash --norc --noprofile' });
    await shell.until(BOX);
    await shell.settle(1200);
    await shell.send('hello');
    await shell.until(DONE);
    await shell.send('/exit');
    await shell.settle(2000);
    shell.snap('exited-to-shell');
    await shell.send('echo hello from the shell');
    await shell.settle(500);
    shell.snap('exited-shell-used');
    shell.close();
    const killed = await open({});
    await killed.until(BOX);
    await killed.settle(1200);
    await killed.send('hello');
    await killed.until(DONE);
    await killed.settle(800);
    process.kill(killed.pid(), 'SIGKILL');
    await killed.settle(800);
    killed.snap('killed-dead-pane');
    killed.close();
    const left = await open({ after: 'exec bash --norc --noprofile' });
    await left.until(BOX);
    await left.settle(1200);
    await left.send('hello');
    await left.until(DONE);
    await left.settle(800);
    left.killChild();
    await left.settle(800);
    left.snap('killed-to-shell');
    left.keys('Enter');
    await left.settle(300);
    left.snap('killed-to-shell-enter');
    left.close();
    const plain = await open({ shell: 'bash --norc --noprofile' });
    await plain.settle(600);
    plain.snap('shell-fresh');
    await plain.send('printf "\\n❯ \\n"');
    await plain.settle(400);
    plain.snap('shell-with-prompt-mark');
    plain.close();
    const less = await open({ shell: 'less /etc/services' });
    await less.settle(600);
    less.snap('other-program-less');
    less.close();
    const failing = await open({ args: ['--resume', '00000000-0000-4000-8000-000000000000'] });
    await failing.settle(2500);
    failing.snap('exited-at-once');
    failing.close();
    const stopped = await open({ after: 'exec bash --norc --noprofile' });
    await stopped.until(BOX);
    await stopped.settle(1200);
    stopped.keys('C-z');
    await stopped.settle(1200);
    stopped.snap('suspended');
    stopped.close();
  },

  async resized(open, { size, pause }) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(1000);
    await pane.send('[[LONG 20]]');
    await pane.until(/line 19/);
    await pane.settle(1000);
    const [x, y] = size.split('x').map(Number);
    pane.resize(`${Math.max(30, x - 17)}x${y}`);
    await pane.settle(60);
    pane.snap('resized-narrower-at-once');
    await pane.settle(1000);
    pane.snap('resized-narrower');
    pane.resize(`${x}x${Math.max(8, y - 5)}`);
    await pane.settle(1000);
    pane.snap('resized-lower');
    await pause(10);
    pane.close();
  },

  async more(open, { pause }) {
    const allowed = { permissions: { defaultMode: 'default', allow: ['Bash(sleep *)', 'Bash(echo *)'] } };
    const pane = await open({ settings: allowed, env: { CLAUDE_FORCE_DISPLAY_SURVEY: '1' } });
    await pane.until(BOX);
    await pane.settle(2000);
    await pane.send('[[BASH sleep 9]]');
    await pane.until(/sleep 9[\s\S]*sleep 9/);
    await pane.settle(3000);
    pane.snap('busy-tool-runs');
    pane.keys('C-b');
    await pause(300);
    pane.keys('C-b');
    await pane.settle(2500);
    pane.snap('after-ctrl-b');
    await pane.until(DONE, { limit: 20_000 });
    await pane.settle(2500);
    pane.snap('after-background');
    await pane.send('one more turn');
    await pane.until(/Answered: one more/);
    await pane.settle(3000);
    pane.snap('after-survey-turn');
    await pane.send('/btw what is this');
    await pane.settle(3000);
    pane.snap('side-question');
    pane.close();
  },

  // The row below the box can have the keyboard too.
  async footer(open) {
    const allowed = { permissions: { defaultMode: 'default', allow: ['Bash(sleep *)'] } };
    const pane = await open({ settings: allowed });
    await pane.until(BOX);
    await pane.settle(1500);
    await pane.send('[[BACKGROUND sleep 40]]');
    await pane.until(/still running|1 shell/);
    await pane.settle(1500);
    pane.snap('idle-with-background-shell');
    pane.keys('Down');
    await pane.settle(1000);
    pane.snap('footer-selected');
    pane.keys('Enter');
    await pane.settle(1200);
    pane.snap('footer-opened');
    pane.close();
  },

  // With --focus: tmux tells programs when they gain and lose the keyboard.
  async visited(open) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(2000);
    await pane.visit();
    await pane.settle(1500);
    pane.snap('idle-after-visit');
    pane.close();
  },

  async coloured(open) {
    const pane = await open({});
    await pane.until(BOX);
    await pane.settle(2000);
    await pane.send('/color red');
    await pane.settle(2500);
    pane.snap('idle-coloured');
    await pane.send('[[SLOW 8]]');
    await pane.until(/esc to interrupt/);
    await pane.settle(1500);
    pane.snap('busy-coloured');
    pane.close();
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
