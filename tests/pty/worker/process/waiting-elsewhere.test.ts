/** Real programs that work, and real ones that ask, while their first thread waits for several things or for other threads. */
import { spawnSync } from "node:child_process";
import { describe, it } from "vitest";
import { TtyFacts } from "../../../../src/worker/process/facts/tty-facts.js";
import { notInstalled, notLinux, skipped } from "../../../support/skipped.js";
import { Collector, start, until } from "../../support/tools.js";

const node = (script: string): readonly string[] => [process.execPath, "-e", script];
const python = (script: string): readonly string[] => ["python3", "-c", script];

/** So many looks in a row must agree: a program that starts, or collects garbage, is unknown for a moment. */
const LOOKS = 20;

/** Resolves once the kernel tells the same of the program again and again, after it has printed `shown`. */
async function expectBlocked(
  command: readonly string[],
  shown: RegExp,
  expected: boolean | undefined,
): Promise<void> {
  const terminal = start(command);
  const output = new Collector(terminal);
  const facts = new TtyFacts(terminal);
  await output.until(shown);
  let agreeing = 0;
  await until(() => {
    agreeing = facts.findReaders().blocked === expected ? agreeing + 1 : 0;
    return agreeing === LOOKS;
  });
  terminal.kill("SIGKILL");
  await terminal.exited;
}

const QUESTION = "process.stdout.write('Name: ');";
const READLINE =
  "require('readline').createInterface({input:process.stdin,output:process.stdout}).question('Name: ',()=>{})";
const spawned = (call: string): string => `${QUESTION}require('child_process').${call}`;
const inherit = "{stdio:'inherit'}";

describe.skipIf(skipped(notLinux)).concurrent("node", () => {
  it.each<[string, string]>([
    ["waits for a timer", `${QUESTION}setTimeout(()=>{},60000)`],
    ["waits for a connection", `${QUESTION}require('http').createServer().listen(0,'127.0.0.1')`],
    [
      "waits for a thread",
      `${QUESTION}new (require('worker_threads').Worker)('setTimeout(()=>{},60000)',{eval:true})`,
    ],
    ["waits for a command", spawned(`spawn('sleep',['60'],${inherit})`)],
    ["waits for a command and does nothing else", spawned(`spawnSync('sleep',['60'],${inherit})`)],
  ])("does not read while it %s", (_, script) => expectBlocked(node(script), /Name: $/, false));

  it.each<[string, string]>([
    ["asks", READLINE],
    ["takes keys", `process.stdin.setRawMode(true).resume();${QUESTION}`],
    ["takes lines", `process.stdin.resume();${QUESTION}`],
    [
      "reads /dev/tty",
      `new (require('tty').ReadStream)(require('fs').openSync('/dev/tty')).resume();${QUESTION}`,
    ],
    ["reads in a helping thread", `require('fs').read(0,Buffer.alloc(9),0,9,null,()=>{});${QUESTION}`],
    [
      "runs what asks in the same way",
      spawned(`spawn(process.execPath,['-e','process.stdin.resume()'],${inherit})`),
    ],
  ])("may read while it %s", (_, script) => expectBlocked(node(script), /Name: /, undefined));

  it("is read past where its command reads", () =>
    expectBlocked(node(spawned(`spawn('cat',[],${inherit})`)), /Name: /, true));
});

describe.skipIf(skipped(notInstalled("python3") ?? notLinux)).concurrent("a program with threads", () => {
  const run = (work: string, args: string): readonly string[] =>
    python(`import threading,time
print('Name: ',end='',flush=True)
thread=threading.Thread(target=${work},args=${args})
thread.start()
thread.join()`);

  it("does not read while all of them work", () =>
    expectBlocked(run("time.sleep", "(60,)"), /Name: /, false));

  it("may read while one of them does", () => expectBlocked(run("input", "()"), /Name: /, undefined));
});

/** Opens a ring of io_uring, and submits a read of the standard input if it is told to: that is `IORING_OP_READ`, 22. */
const RING = `import ctypes,mmap,struct,sys,threading
call=ctypes.CDLL(None).syscall
params=ctypes.create_string_buffer(120)
ring=call(425,4,params)
if ring<0: sys.exit('no ring can be opened')
def read():
    _,tail,_,_,_,_,array=struct.unpack_from('7I',params,40)
    queue=mmap.mmap(ring,4096)
    entries=mmap.mmap(ring,4096,offset=0x10000000)
    text=ctypes.create_string_buffer(9)
    struct.pack_into('BBHiQQI',entries,0,22,0,0,0,2**64-1,ctypes.addressof(text),9)
    struct.pack_into('I',queue,array,0)
    struct.pack_into('I',queue,tail,1)
    return call(426,ring,1,0,0,None,8),queue,entries,text
`;
const noRing = (): string | null =>
  spawnSync("python3", ["-c", RING]).status === 0 ? null : "no ring of io_uring can be opened";

describe
  .skipIf(skipped(notInstalled("python3") ?? notLinux ?? noRing()))
  .concurrent("a program with a ring", () => {
    const wait = "print('Name: ',end='',flush=True)\nthreading.Event().wait()";

    it("does not read while its ring is idle", () => expectBlocked(python(RING + wait), /Name: /, false));

    it("may read while its ring reads", () =>
      expectBlocked(python(`${RING}kept=read()\n${wait}`), /Name: /, undefined));
  });
