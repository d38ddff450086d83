# What Proxel answers in the engine, held to what is known without it:
#   godot --headless --path . --script test.gd
# PROXEL_TEST_DEVICE names the device. Ends with 1 when something is wrong.
extends SceneTree

const Shapes := preload("res://shapes.gd")

var failures := 0
var checks := 0


# Nodes are in the tree from the first frame on.
func _process(_delta: float) -> bool:
	var wanted := OS.get_environment("PROXEL_TEST_DEVICE")
	that(Proxel.open(wanted), "opens the device '%s'" % wanted)
	var device: String = Proxel.device_name()
	that(device.to_lower().contains(wanted.to_lower()), "is on '%s', not on '%s'" % [wanted, device])
	for test in [box_on_box, ball_on_box, keys_stay, distances, forces, volumes, near_lists, soft_bodies, scaled_nodes, bad_input, reopened]:
		var before := failures
		# A script that stops at an error of its own gives nothing.
		that(test.call() == true, "%s came to its end" % test.get_method())
		print("%s %s" % ["ok    " if failures == before else "FAILED", test.get_method()])
		for child in root.get_children():
			child.free()
	print("%d checks on %s, %d failed" % [checks, device, failures])
	quit(1 if failures > 0 else 0)
	return true


func that(holds: bool, what: String) -> void:
	checks += 1
	if not holds:
		failures += 1
		printerr("not so: ", what)


func near_to(value: float, truth: float, within: float, what: String) -> void:
	that(absf(value - truth) <= within, "%s is %f, not %f" % [what, value, truth])


func body(mesh: Mesh, at := Vector3.ZERO, cells := 64) -> ProxelBody:
	var node := ProxelBody.new()
	node.mesh = mesh
	node.field_resolution = cells
	root.add_child(node)
	node.global_position = at
	return node


# A box of side 1 reaches 0.01 into a face of one of side 2: it touches with its four corners.
func box_on_box() -> bool:
	var large := body(Shapes.box(2))
	var small := body(Shapes.box(1), Vector3(1.49, 0, 0))
	var found := Proxel.contacts(large, small)
	that(large.triangle_count() == 12, "a box has %d triangles" % large.triangle_count())
	that(found.count == 4, "%d contacts" % found.count)
	for i in found.count:
		near_to(found.separations[i], -0.01, 1e-4, "separation")
		that(found.lower[i] <= -0.01 + 1e-6 and found.upper[i] >= -0.01 - 1e-6, "the interval holds the truth")
		near_to(found.normals[i].x, 1, 1e-3, "the normal from A to B")
		near_to(absf(found.points_b[i].y) + absf(found.points_b[i].z), 1, 1e-5, "a corner")
		near_to(found.points_b[i].x, 0.99, 1e-5, "a corner")
	return true


# The lowest point of a ball is a vertex of its mesh: 0.02 below the box's upper face.
func ball_on_box() -> bool:
	var box := body(Shapes.box(2))
	var ball := body(Shapes.ball(0.5), Vector3(0.1, 1.48, -0.2))
	var found := Proxel.contacts(box, ball)
	that(found.count >= 1, "%d contacts" % found.count)
	var deepest := 0
	for i in found.count:
		if found.separations[i] < found.separations[deepest]:
			deepest = i
	near_to(found.separations[deepest], -0.02, 5e-4, "the deepest separation")
	near_to(found.points_b[deepest].distance_to(Vector3(0.1, 0.98, -0.2)), 0, 1e-2, "how far it is from the pole")
	near_to(found.normals[deepest].y, 1, 1e-3, "its normal")
	ball.global_position.y = 1.6
	that(Proxel.contacts(box, ball).count == 0, "no contact when apart")
	that(Proxel.contacts(box, ball, 0.11).count >= 1, "but within a distance")
	return true


func keys_stay() -> bool:
	var pair := ProxelPair.new()
	pair.automatic = false
	pair.a = body(Shapes.box(2))
	pair.b = body(Shapes.box(1), Vector3(1.49, 0.05, 0))
	root.add_child(pair)
	var began := []
	var ended := []
	pair.began.connect(func(contacts: PackedInt32Array) -> void: began.append_array(contacts))
	pair.ended.connect(func(keys: PackedInt64Array) -> void: ended.append_array(keys))
	that(pair.step() == 4, "four contacts")
	that(began.size() == 4, "%d began" % began.size())
	var keys: Array = Array(pair.contacts().keys)
	keys.sort()
	for i in 20:
		pair.b.global_position += Vector3(0, 0.001, -0.0005)
		pair.b.rotate_x(0.001)
		that(pair.step() == 4, "four contacts while it slides")
		var now: Array = Array(pair.contacts().keys)
		now.sort()
		that(now == keys, "the same keys")
		that(not -1 in pair.contacts().previous, "each continues one")
	that(began.size() == 4 and ended.is_empty(), "none began or ended")
	pair.b.global_position.x = 3
	that(pair.step() == 0, "no contact when apart")
	ended.sort()
	that(ended == keys, "the four ended")
	return true


func distances() -> bool:
	var box := body(Shapes.box(2))
	var ball := body(Shapes.ball(0.5), Vector3(0, 1.6, 0))
	var found := Proxel.proximity(box, ball)
	near_to(found.distance, 0.1, 1e-3, "proximity")
	that(found.lower <= 0.1 + 1e-6 and found.upper >= 0.1 - 1e-6, "its interval holds the truth")
	that(not found.penetrating, "apart")
	var exact := Proxel.distance(box, ball)
	near_to(exact.distance, 0.1, 1e-6, "distance")
	that(not exact.intersecting, "apart")
	near_to(exact.point_a.y, 1, 1e-6, "the point on the box")
	ball.global_position.y = 1.4
	that(Proxel.proximity(box, ball).penetrating, "inside")
	that(Proxel.distance(box, ball).intersecting, "their surfaces cross")
	return true


# 0.1 over the face of area 1; 0.05 in the mean over four strips of area 0.1, which have another normal, but the nearest face of the
# large box is the same: 0.1 + 4 * 0.1 * 0.05.
func forces() -> bool:
	var large := body(Shapes.box(2))
	var small := body(Shapes.box(1), Vector3(1.4, 0, 0))
	var found := Proxel.penalty(large, small)
	near_to(found.force_b.x, 0.12, 2e-3, "force")
	near_to(found.force_b.x + found.force_a.x, 0, 1e-6, "the sum of both forces")
	near_to(Vector2(found.force_b.y, found.force_b.z).length(), 0, 1e-3, "the force aside")
	near_to(Proxel.penalty(large, small, 10).force_b.x / found.force_b.x, 10, 1e-3, "ten times as stiff")
	that(found.depth_lower <= 0.1 + 1e-6 and found.depth_upper >= 0.1 - 1e-6, "the depth")
	small.linear_velocity = Vector3(-1, 0, 0)
	that(Proxel.penalty(large, small, 1, 1).force_b.x > found.force_b.x, "damping resists")
	return true


func volumes() -> bool:
	var large := body(Shapes.box(2), Vector3.ZERO, 0)
	var small := body(Shapes.box(1), Vector3(1.4, 0, 0), 0)
	var found := Proxel.volume(large, small)
	near_to(found.volume, 0.1, 1e-6, "volume")
	that(found.closed, "boxes are closed")
	near_to(found.center.x, 0.95, 1e-6, "centre")
	near_to(found.area_vector_b.x, -1, 1e-5, "area vector")
	small.global_position = Vector3.ZERO
	near_to(Proxel.volume(large, small).volume, 1, 1e-6, "all of the small box")
	# The volume of a ball's mesh from its triangles, by the divergence theorem.
	var ball := body(Shapes.ball(0.5), Vector3.ZERO, 0)
	var corners: PackedVector3Array = ball.mesh.get_faces()
	var whole := 0.0
	for i in range(0, corners.size(), 3):
		whole += absf(corners[i].dot(corners[i + 1].cross(corners[i + 2]))) / 6
	near_to(Proxel.volume(large, ball).volume, whole, 2e-3 * whole, "all of the ball")
	that(Proxel.volume(large, ball).closed, "a ball is closed, its seam too")
	return true


# Four corners at 0.05 from a face of two triangles; two of them lie over the diagonal, where both are near.
func near_lists() -> bool:
	var large := body(Shapes.box(2), Vector3.ZERO, 0)
	var small := body(Shapes.box(1), Vector3(1.55, 0, 0), 0)
	var found := Proxel.near(large, small, 0.1)
	that(Array(found.kinds).count(Proxel.FACE_VERTEX) == 6, "%d faces and vertices" % Array(found.kinds).count(Proxel.FACE_VERTEX))
	that(Array(found.kinds).count(Proxel.VERTEX_FACE) == 0, "no vertex of the large box is near")
	for i in found.count:
		that(found.distances[i] >= 0.05 - 1e-6 and found.distances[i] < 0.1, "a distance of %f" % found.distances[i])
		near_to(found.directions[i].length(), 1, 1e-5, "a direction")
	that(Proxel.near(large, small, 0.049).count == 0, "nothing is nearer than the gap")
	return true


# A soft box has no field. Stretched to twice its height it reaches the face below.
func soft_bodies() -> bool:
	var ground := body(Shapes.box(2))
	var soft := body(Shapes.box(1), Vector3(0, 1.7, 0), 0)
	that(Proxel.contacts(ground, soft).count == 0, "no contact at rest")
	var stretched := PackedVector3Array()
	for vertex in soft.mesh.surface_get_arrays(0)[Mesh.ARRAY_VERTEX]:
		stretched.append(Vector3(vertex.x, vertex.y * 1.42, vertex.z))
	that(soft.deform(stretched), "deforms")
	var found := Proxel.contacts(ground, soft)
	that(found.count == 4, "%d contacts when stretched" % found.count)
	for separation in found.separations:
		near_to(separation, -0.01, 1e-4, "separation")
	near_to(Proxel.volume(ground, soft).volume, 0.01, 1e-6, "volume when stretched")
	that(not soft.deform(PackedVector3Array([Vector3.ZERO])), "one vertex is too few")
	that(not soft.deform(PackedVector3Array(stretched.slice(0, 23) + PackedVector3Array([Vector3(NAN, 0, 0)]))), "a vertex that is no number")
	near_to(Proxel.volume(ground, soft).volume, 0.01, 1e-6, "what was refused changed nothing")
	return true


# Scale, mirroring and shear of nodes are in the shape.
func scaled_nodes() -> bool:
	var large := body(Shapes.box(1))
	large.scale = Vector3(2, 2, -2)
	var small := body(Shapes.box(1), Vector3(0, 1.24, 0))
	small.scale = Vector3(1, 0.5, 1)
	small.rotation = Vector3(0, 0.3, 0)
	var found := Proxel.contacts(large, small)
	that(found.count == 4, "%d contacts of scaled boxes" % found.count)
	for separation in found.separations:
		near_to(separation, -0.01, 1e-4, "separation")
	near_to(Proxel.volume(large, small).volume, 0.01, 1e-6, "volume of scaled boxes")
	small.scale = Vector3.ONE
	small.global_position.y = 1.49
	that(Proxel.contacts(large, small).is_empty(), "a scale that has changed is refused")
	that(small.prepare() and Proxel.contacts(large, small).count == 4, "and taken when prepared")
	return true


# All of it is refused with a message, and the engine lives.
func bad_input() -> bool:
	var box := body(Shapes.box(2))
	var refused := func(answer: Dictionary, word: String) -> void:
		that(answer.is_empty(), "an answer where '%s' should be refused" % word)
		that(Proxel.last_error().contains(word), "'%s' is not in '%s'" % [word, Proxel.last_error()])
	refused.call(Proxel.contacts(box, body(null)), "no mesh")
	refused.call(Proxel.contacts(box, body(ArrayMesh.new())), "no triangles")
	refused.call(Proxel.proximity(body(Shapes.box(1), Vector3.ZERO, 0), box), "field")
	refused.call(Proxel.contacts(box, body(Shapes.box(1), Vector3.ZERO, -1)), "field_resolution")
	refused.call(Proxel.contacts(box, body(PlaneMesh.new())), "encloses nothing")
	refused.call(Proxel.contacts(box, body(Shapes.box(NAN))), "not finite")
	refused.call(Proxel.near(box, body(Shapes.box(1)), -1), "thickness")
	refused.call(Proxel.near(box, body(Shapes.box(1)), NAN), "thickness")
	refused.call(Proxel.contacts(box, body(Shapes.box(1)), -1), "distance")
	refused.call(Proxel.penalty(box, body(Shapes.box(1)), -1), "stiffness")
	var outside := ProxelBody.new()
	refused.call(Proxel.contacts(box, outside), "scene tree")
	outside.free()
	var flat := body(Shapes.box(1))
	flat.scale = Vector3(1, 0, 1)
	refused.call(Proxel.contacts(box, flat), "inverse")
	var lines := ArrayMesh.new()
	var arrays := []
	arrays.resize(Mesh.ARRAY_MAX)
	arrays[Mesh.ARRAY_VERTEX] = PackedVector3Array([Vector3.ZERO, Vector3.ONE])
	lines.add_surface_from_arrays(Mesh.PRIMITIVE_LINES, arrays)
	refused.call(Proxel.contacts(box, body(lines)), "triangles")
	var pair := ProxelPair.new()
	root.add_child(pair)
	that(pair.step() == 0, "a pair of nothing has no contacts")
	pair.a = box
	pair.b = body(Shapes.box(1))
	pair.b.position.x = 1.49
	that(pair.step() == 4, "both are there")
	pair.b.free()
	that(pair.step() == 0 and Proxel.last_error().contains("no two bodies"), "one is gone")
	that(not Proxel.open("there is no such device"), "a device that is not there")
	that(Proxel.contacts(box, box).count >= 0, "a body with itself")
	return true


# Another device: what was on the one before is made anew.
func reopened() -> bool:
	var large := body(Shapes.box(2))
	var small := body(Shapes.box(1), Vector3(1.49, 0, 0))
	that(Proxel.contacts(large, small).count == 4, "on the first device")
	that(Proxel.open("host"), "opens the host")
	that(Proxel.contacts(large, small).count == 4, "on the second")
	for i in 30:
		body(Shapes.box(1), Vector3(i, 0, 0), 8).prepare()
	return true
