-- Posts one form after the other, each a record of its own, and counts the answers that acknowledge it.
-- What it posts comes from the environment: ADD_PATH, ADD_BODY (with {n} and {id}), ADD_STATUS, ADD_COOKIE, ADD_SEED.
local path, template = os.getenv("ADD_PATH"), os.getenv("ADD_BODY")
local wanted = tonumber(os.getenv("ADD_STATUS"))
local threads = {}

function setup(thread) table.insert(threads, thread) end

function init()
  math.randomseed(tonumber(os.getenv("ADD_SEED")))
  count, acknowledged, refused, first = 0, 0, 0, ""
  headers = {["Cookie"] = os.getenv("ADD_COOKIE"), ["Content-Type"] = "application/x-www-form-urlencoded"}
end

-- A UUID of version 7 whose time is the count: ids grow, as those of real drafts do.
local function id()
  return string.format("%08x-%04x-7%03x-8%03x-%06x%06x", 0x01900000 + math.floor(count / 65536), count % 65536,
    math.random(0, 0xfff), math.random(0, 0xfff), math.random(0, 0xffffff), math.random(0, 0xffffff))
end

function request()
  count = count + 1
  local body = template:gsub("{n}", tostring(count)):gsub("{id}", id()):gsub("{draft}", id())
  return wrk.format("POST", path, headers, body)
end

function response(status, _, body)
  if status == wanted then
    acknowledged = acknowledged + 1
  else
    refused = refused + 1
    if first == "" then first = tostring(status) end
  end
end

function done(summary, latency)
  local good, bad, status = 0, 0, ""
  for _, thread in ipairs(threads) do
    good, bad, status = good + thread:get("acknowledged"), bad + thread:get("refused"), status .. thread:get("first")
  end
  io.write(string.format('JSON{"acknowledged":%d,"refused":%d,"status":"%s","seconds":%f,"p50":%f,"p99":%f,"lost":%d}\n',
    good, bad, status, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
