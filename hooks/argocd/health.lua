-- SPDX-License-Identifier: Apache-2.0
-- Health of a Canary for Argo CD, by its phase as Argo CD's own rule has it. That perch holds it is said, and
-- changes nothing: a canary that settled stays Healthy while it is held, or no PostSync hook would run.
local health = {
  Initialized = "Healthy", Succeeded = "Healthy",
  Progressing = "Progressing", Promoting = "Progressing", Finalising = "Progressing",
  Failed = "Degraded",
}
local status = obj.status or {}
local said = {status.phase or "no status"}
if (tonumber(status.canaryWeight) or 0) > 0 then
  said[#said + 1] = "weight " .. status.canaryWeight .. "%"
end
for _, condition in ipairs(status.conditions or {}) do
  if condition.message then
    said[#said + 1] = condition.message
  end
end
local notes = (obj.metadata or {}).annotations or {}
if obj.spec ~= nil and obj.spec.suspend == true then
  local held = "suspended"
  if notes["perch.dev/held-for"] then
    held = "held for " .. notes["perch.dev/held-for"]
    if notes["perch.dev/held-until"] then
      held = held .. " until " .. notes["perch.dev/held-until"]
    end
    if notes["perch.dev/held-reason"] then
      held = held .. ": " .. notes["perch.dev/held-reason"]
    end
  end
  table.insert(said, 1, held)
end
return {status = health[status.phase] or "Unknown", message = table.concat(said, " · ")}
