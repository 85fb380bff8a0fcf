// plan/: searches over accelerators, layouts and precisions for the deployments that hold a model and carry a load, and
// ranks them by cost. It owns no formula: memory and time come from cost/, figures and prices from hardware/.
#pragma once
