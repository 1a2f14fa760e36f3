// Walks along the edges: first starts, ends, sizes, colours, and who has the keyboard.

const BOX = /❯\u00a0/;
const DONE = /done \d|Answered|All done/;

export const edgeWalks = {
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
};
