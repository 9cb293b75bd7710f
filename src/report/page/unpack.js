// unpack.js - the values that src/report/pack.c packed.

// A function that takes one line of JSON and gives its value. Values and lists
// of keys are numbered as they end, and begin, in the order of the lines.
function unpacker() {
  const values = [];
  const shapes = [];
  const read = (x) => {
    if (typeof x === "number") return values[x];
    if (typeof x === "string") return keep(x);
    if (x === null || typeof x === "boolean") return x;
    if (x[0] === true) return keep(x[1]);
    if (x[0] === null) return keep(x.slice(1).map(read));
    if (typeof x[0] !== "number") shapes.push(x[0]);
    const keys = typeof x[0] === "number" ? shapes[x[0]] : x[0];
    const value = keys.includes("__proto__") ? Object.create(null) : {};
    for (let i = 0; i < keys.length; i++) value[keys[i]] = read(x[i + 1]);
    return keep(value);
  };
  const keep = (value) => {
    values.push(value);
    return value;
  };
  return (line) => read(JSON.parse(line));
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Calls take(value) for each value of the block, in order.
async function unpack(base64, take) {
  const stream = new Blob([bytesOf(base64)]).stream()
    .pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream());
  const reader = stream.getReader();
  const parse = unpacker();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) take(parse(line));
  }
}
