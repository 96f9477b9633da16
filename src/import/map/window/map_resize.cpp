#include "import/map/window/resize_internal.h"

namespace hone::import {

Result<Values> map_resize(Node& node) {
  HONE_TRY(ResizeSetting setting, resize_setting(node));
  bool weighted = setting.mode == "cubic" || setting.antialias || setting.coordinate == "tf_crop_and_resize" ||
                  (setting.exclude_outside && setting.mode != "nearest");
  if (weighted) return Node::single(resize_by_weights(node, setting));
  std::vector<int64_t> up, down;
  ir::Shape shape;
  for (const Resized& dim : setting.dims) {
    up.push_back(dim.up);
    down.push_back(dim.down);
    shape.push_back(dim.to);
  }
  AttributeMap map{{"mode", setting.mode},
                   {"coordinate", setting.coordinate},
                   {"nearest", setting.nearest},
                   {"numerators", up},
                   {"denominators", down}};
  if (setting.rounded) map["rounded"] = int64_t{1};
  return Node::single(node.emit(OpKind::Resize, {node.input(0)}, map, {node.type(0).dtype, shape}));
}

}  // namespace hone::import
