import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRedactor } from '../../src/files/redact.ts';
import { LONGEST_SHAPE } from '../../src/files/secret-shapes.ts';
import { tempFolder } from './temp-folder.ts';

const body = (length: number) => 'Ab3dEf9hIjKlMn0pQrStUvWxYz12'.repeat(Math.ceil(length / 28)).slice(0, length);

test('variables that look secret are found by name', () => {
  const secret = 'S3cr3t/Value+x';
  const names = [
    'ANTHROPIC_API_KEY', 'GITHUB_TOKEN', 'DB_PASS', 'DB_PASSWORD', 'MYSQL_PWD', 'CLIENT_SECRET', 'AWS_CREDENTIALS',
    'NPM_AUTH', 'npm_config__authToken', 'apiKey', 'OPENAI_APIKEY', 'MYACCESSTOKEN', 'GH_PAT', 'PASSPHRASE',
    'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'SESSION_COOKIE', 'TOKEN', 'secrets.main',
  ]; // biome-ignore format: a table
  expect(makeRedactor(Object.fromEntries(names.map(name => [name, secret]))).names).toEqual(names);
});

test('harmless variables are left alone', () => {
  const env = {
    SSH_AUTH_SOCK: '/run/user/0/agent.sock', KEYBOARD: 'us-intl-extended', PASSENGER_APP_ENV: 'production',
    GIT_AUTHOR_NAME: 'Somebody Long', AUTHOR: 'Somebody Long', MONKEY: 'bananas-all-day', PWD: '/home/me/project',
    OLDPWD: '/home/me/other', HOME: '/home/somebody', USE_TOKEN: 'true', AUTH_ENABLED: 'enabled', MAX_TOKENS: '100000',
    TOKEN_URL: 'https://login.example.com/token', PASSWORD_STORE_DIR: 'my-passwords', KEY_FILE: 'id_ed25519',
    GOOGLE_APPLICATION_CREDENTIALS: '/home/Me/gcloud.json', API_KEY: 'short', SECRET: '', AUTH: 'basic',
    COLORTERM: 'truecolor', COMPASS: 'north-by-west', AUTH_KEY: './conf/keys/main', TOKENIZER: 'cl100k_base',
  }; // biome-ignore format: a table
  expect(makeRedactor(env).names).toEqual([]);
});

test('values are replaced by name, longest first, in every form they travel in', () => {
  const env = { A_TOKEN: 'tok"en\\with/ü', B_KEY: 'abcdef', C_SECRET: 'abcdefghij', DB_PASS: '12345678' };
  const { text } = makeRedactor(env);
  expect(text('x abcdefghij y abcdef z')).toBe('x [redacted:C_SECRET] y [redacted:B_KEY] z');
  expect(text('12345678')).toBe('[redacted:DB_PASS]');
  const json = JSON.stringify({ a: env.A_TOKEN });
  const forms = [env.A_TOKEN, json, JSON.stringify(json), encodeURIComponent(env.A_TOKEN), btoa(env.C_SECRET)];
  forms.push(json.replace('ü', '\\u00fc'), json.replace('/', '\\/'));
  for (const form of forms) expect(text(`<${form}>`), form).toMatch(/^<.*\[redacted:[AC]_\w+\].*>$/);
  expect(JSON.parse(text(json))).toEqual({ a: '[redacted:A_TOKEN]' });
});

test('each long line of a secret with many lines is found by itself', () => {
  const lines = ['-----BEGIN X-----', body(60), body(30).toLowerCase(), '-----END X-----'];
  const { text } = makeRedactor({ DEPLOY_KEY: lines.join('\n') });
  expect(text(`  ${lines[1]}\r\n  ${lines[2]}`)).toBe('  [redacted:DEPLOY_KEY]\r\n  [redacted:DEPLOY_KEY]');
  expect(text(lines.join('\n'))).toBe('[redacted:DEPLOY_KEY]');
  expect(text('-----BEGIN X-----')).toBe('-----BEGIN X-----');
});

test.each([
  `sk-ant-api03-${body(90)}-AA`, `sk-proj-${body(120)}`, `sk-${body(48)}`, `ghp_${body(36)}`, `ghs_${body(36)}`,
  `github_pat_${body(22)}_${body(59)}`, 'AKIAIOSFODNN7EXAMPLE', `xoxb-123456789012-${body(24)}`, `glpat-${body(20)}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${body(43)}`, `npm_${body(36)}`, `AIza${body(35)}`, `sk_live_${body(24)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${`${body(64)}\n`.repeat(25)}-----END RSA PRIVATE KEY-----`,
])('a well-known shape is found without knowing it: %s', secret => {
  const { text } = makeRedactor({});
  expect(text(`key=${secret}, next`)).toBe('key=[redacted], next');
  expect(text(JSON.stringify({ log: `line\n${secret}` }))).toBe('{"log":"line\\n[redacted]"}');
}); // biome-ignore format: a table

test('a password in an address goes, the rest of it and ordinary text stay', () => {
  const { text } = makeRedactor({});
  expect(text('postgres://me:hunter22@db:5432/x')).toBe('postgres://me:[redacted]@db:5432/x');
  expect(text(`Authorization: Bearer ${body(40)}`)).toBe('Authorization: Bearer [redacted]');
  for (const fine of [
    'https://example.com:8080/a@b', 'task-0123456789abcdef0123456789abcdef0123', 'git@github.com:me/x.git',
    'AKIA is a prefix', '2026-01-01T10:00:00Z me@host', 'bearer of news', `sha256 ${'0123abcd'.repeat(8)}`,
  ]) expect(text(fine)).toBe(fine); // biome-ignore format: a table
});

test('values are redacted deep, keys too, and everything else stays what it is', () => {
  const { value } = makeRedactor({ MY_TOKEN: 'hunter22hunter' });
  const given = JSON.parse('{"a":["x hunter22hunter",1,null,true],"k-hunter22hunter":{"__proto__":"hunter22hunter"}}');
  expect(JSON.stringify(value(given))).toBe(
    '{"a":["x [redacted:MY_TOKEN]",1,null,true],"k-[redacted:MY_TOKEN]":{"__proto__":"[redacted:MY_TOKEN]"}}',
  );
});

test('a file is redacted at every position around the chunk borders, byte for byte', async () => {
  const file = join(tempFolder(), 'log');
  const secret = 'grüßgott-geheim-0123456789';
  const { file: redact } = makeRedactor({ MY_SECRET: secret });
  const border = 256 * 1024;
  for (const shift of [-60, -30, -29, -28, -15, -1, 0, 1]) {
    const before = Buffer.alloc(border + shift, 0xff);
    const parts = [before, Buffer.from(secret), Buffer.alloc(border, 0xfe), Buffer.from(secret)];
    writeFileSync(file, Buffer.concat(parts));
    expect(await redact(file)).toBe(true);
    const hidden = Buffer.from('[redacted:MY_SECRET]');
    const wanted = Buffer.concat([before, hidden, parts[2] as Buffer, hidden]);
    expect(readFileSync(file).equals(wanted), `shift ${shift}`).toBe(true);
  }
});

test('a file and a text are redacted alike wherever long shapes fall', async () => {
  const file = join(tempFolder(), 'log');
  const { text, file: redact } = makeRedactor({ MY_TOKEN: 'hunter22hunter' });
  const pem = `-----BEGIN PRIVATE KEY-----\n${`${body(64)}\n`.repeat(200)}-----END PRIVATE KEY-----`;
  const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJ${body(3000)}.${body(43)}`;
  const piece = `${pem} https://u:passw0rd@h ${jwt} ${'.'.repeat(9973)} Bearer ${body(40)} hunter22hunter\n`;
  const whole = piece.repeat(40);
  writeFileSync(file, whole);
  expect(await redact(file)).toBe(true);
  const shown = readFileSync(file, 'utf8');
  expect(shown === text(whole)).toBe(true);
  expect(shown.match(/\[redacted/g)?.length).toBe(40 * 5);
});

test('a secret is known by what stands before it, also when that was already written', async () => {
  const file = join(tempFolder(), 'log');
  const { text, file: redact } = makeRedactor({});
  // Around here the first chunk of 256 KiB is written and the rest held back.
  const cut = 256 * 1024 - LONGEST_SHAPE - 1;
  for (let at = cut - 40; at < cut + 10; at += 3) {
    const whole = `${'.'.repeat(at)} Bearer ${body(40)} xAKIAIOSFODNN7EXAMPLE ${'.'.repeat(300_000)}`;
    writeFileSync(file, whole);
    await redact(file);
    expect(readFileSync(file, 'utf8') === text(whole), `at ${at}`).toBe(true);
  }
});

test('a redacted file is 0600; a clean one, a link and a FIFO are left alone', async () => {
  const folder = tempFolder();
  const { file } = makeRedactor({ MY_TOKEN: 'hunter22hunter' });
  const at = (name: string) => join(folder, name);
  writeFileSync(at('dirty'), 'hunter22hunter', { mode: 0o644 });
  writeFileSync(at('clean'), 'nothing');
  symlinkSync('dirty', at('link'));
  execFileSync('mkfifo', [at('fifo')]);
  const inode = statSync(at('clean')).ino;
  for (const name of ['clean', 'link', 'fifo', 'none']) expect(await file(at(name))).toBe(false);
  expect(readFileSync(at('dirty'), 'utf8')).toBe('hunter22hunter');
  expect(await file(at('dirty'))).toBe(true);
  expect(statSync(at('dirty')).mode & 0o777).toBe(0o600);
  expect(statSync(at('clean')).ino).toBe(inode);
  expect(readdirSync(folder).sort()).toEqual(['clean', 'dirty', 'fifo', 'link']);
});

test.each([
  ['BEGIN lines', '-----BEGIN PRIVATE KEY-----'],
  ['token starts', 'eyJ'],
  ['token starts with dots', ' eyJabcdefghi.eyJ'],
  ['addresses', 'a://b:c'],
  ['dashes', '-'],
  ['letters', 'a'],
])('a megabyte of %s is read quickly', (_, piece) => {
  const { text } = makeRedactor({ MY_TOKEN: 'hunter22hunter' });
  const before = performance.now();
  text(piece.repeat(Math.ceil(1_000_000 / piece.length)));
  expect(performance.now() - before).toBeLessThan(1500);
});
